//! Large tables in huge pages.

use std::alloc::{Layout, handle_alloc_error};
use std::fmt;
use std::marker::PhantomData;

use bytemuck::Pod;
use memmap2::MmapMut;
use prefetch_index::prefetch_index;

/// The usual size of a huge page, in bytes.
const HUGE_PAGE: usize = 2 << 20;

/// The least size of a page, in bytes.
const SMALL_PAGE: usize = 4 << 10;

/// A zeroed table, in huge pages where the system has them. Reads of large tables are random, and with pages of 4 KiB most
/// of them miss the TLB.
pub(crate) struct HugePageTable<T> {
    map: MmapMut,
    /// The offset of the entries in the map, in bytes.
    start: usize,
    /// The size of all entries, in bytes.
    length: usize,
    entries: PhantomData<T>,
}

impl<T: Pod> HugePageTable<T> {
    /// Aborts the process when out of memory, as any other allocation does.
    pub(crate) fn zeroed(count: usize) -> Self {
        let length = count * size_of::<T>();
        let Ok(map) = MmapMut::map_anon(length + HUGE_PAGE) else {
            handle_alloc_error(Layout::array::<T>(count).unwrap_or(Layout::new::<T>()));
        };
        // Advice only: a system without huge pages gives ordinary ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        let start = match map.as_ptr().align_offset(HUGE_PAGE) {
            offset if offset <= HUGE_PAGE => offset,
            _ => 0,
        };
        let mut pages = Self {
            map,
            start,
            length,
            entries: PhantomData,
        };
        pages.touch();
        pages
    }

    /// Touches every page, so that the system provides the memory now and not while a clock runs.
    fn touch(&mut self) {
        for byte in self.map[self.start..self.start + self.length]
            .iter_mut()
            .step_by(SMALL_PAGE)
        {
            // `black_box` keeps the compiler from removing the write.
            *byte = std::hint::black_box(0);
        }
    }

    #[inline]
    pub(crate) fn get(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[self.start..self.start + self.length])
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map[self.start..self.start + self.length])
    }

    /// One entry.
    ///
    /// # Panics
    /// `index` is out of range.
    #[inline]
    pub(crate) fn entry(&self, index: usize) -> &T {
        bytemuck::from_bytes(&self.map[self.place(index)..][..size_of::<T>()])
    }

    /// One entry, mutable.
    ///
    /// # Panics
    /// As [`HugePageTable::entry`].
    #[inline]
    pub(crate) fn entry_mut(&mut self, index: usize) -> &mut T {
        let place = self.place(index);
        bytemuck::from_bytes_mut(&mut self.map[place..][..size_of::<T>()])
    }

    /// Prefetches an entry.
    #[inline]
    pub(crate) fn prefetch(&self, index: usize) {
        prefetch_index(&*self.map, self.place(index));
    }

    /// The offset of an entry in the map, in bytes.
    #[inline]
    fn place(&self, index: usize) -> usize {
        self.start + index * size_of::<T>()
    }
}

impl<T> fmt::Debug for HugePageTable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HugePageTable")
            .field("bytes", &self.length)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_zeroed_and_keeps_what_is_written() {
        let mut pages = HugePageTable::<u64>::zeroed(1 << 18);
        assert!(pages.get().iter().all(|entry| *entry == 0));
        *pages.entry_mut((1 << 18) - 1) = 7;
        pages.prefetch((1 << 18) - 1);
        assert_eq!(*pages.entry((1 << 18) - 1), 7);
        assert_eq!(pages.get().iter().sum::<u64>(), 7);
        assert_eq!(pages.get().len(), 1 << 18);
    }
}
