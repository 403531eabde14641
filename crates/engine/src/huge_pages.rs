//! Large tables in huge pages.

use std::fmt;
use std::io;
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
    /// A table of `count` entries, all zero.
    ///
    /// # Errors
    /// The system has no memory for it.
    pub(crate) fn zeroed(count: usize) -> io::Result<Self> {
        let too_long = || io::Error::from(io::ErrorKind::OutOfMemory);
        let length = count.checked_mul(size_of::<T>()).ok_or_else(too_long)?;
        let map = MmapMut::map_anon(length.checked_add(HUGE_PAGE).ok_or_else(too_long)?)?;
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
        Ok(pages)
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
        let mut pages = HugePageTable::<u64>::zeroed(1 << 18).unwrap();
        assert!(pages.get().iter().all(|entry| *entry == 0));
        *pages.entry_mut((1 << 18) - 1) = 7;
        pages.prefetch((1 << 18) - 1);
        assert_eq!(*pages.entry((1 << 18) - 1), 7);
        assert_eq!(pages.get().iter().sum::<u64>(), 7);
        assert_eq!(pages.get().len(), 1 << 18);
    }

    #[test]
    fn a_table_that_no_machine_holds_is_an_error() {
        for count in [1 << 56, usize::MAX / 8, usize::MAX] {
            assert!(HugePageTable::<u64>::zeroed(count).is_err(), "{count}");
        }
    }
}
