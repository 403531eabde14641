"use strict";
// Tables are sorted by a click on a heading: numbers as numbers, and empty cells last.
for (const heading of document.querySelectorAll("thead th")) {
  heading.dataset.sortable = "";
  heading.tabIndex = 0;
  const sort = () => {
    const table = heading.closest("table");
    const index = [...heading.parentNode.children].indexOf(heading);
    const up = heading.getAttribute("aria-sort") !== "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = (row) => row.children[index].textContent.trim();
    const number = (text) => parseFloat(text.replace(/,/g, "").replace("−", "-"));
    const numbers = heading.classList.contains("number");
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a === "" || b === "") return (a === "") - (b === "");
      const order = numbers ? number(a) - number(b) : a.localeCompare(b, "en", { numeric: true });
      return up ? order : -order;
    });
    table.tBodies[0].append(...rows);
  };
  heading.addEventListener("click", sort);
  heading.addEventListener("keydown", (event) => {
    if (event.key === "Enter") sort();
  });
}
// A picture is saved with the colours that the page has now.
for (const link of document.querySelectorAll("a.save")) {
  link.hidden = false;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const picture = link.closest("figure").querySelector("svg").cloneNode(true);
    const [, , width, height] = picture.getAttribute("viewBox").split(" ");
    picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    picture.setAttribute("width", width);
    picture.setAttribute("height", height);
    picture.setAttribute("font-family", "sans-serif");
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = "svg{background:" + getComputedStyle(document.body).backgroundColor + "}" + document.querySelector("style").textContent.split("/*pictures*/")[1];
    picture.prepend(style);
    const symbols = document.querySelector("#symbols defs");
    if (symbols && picture.querySelector("use")) picture.prepend(symbols.cloneNode(true));
    const file = new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
    const save = document.createElement("a");
    save.href = URL.createObjectURL(file);
    save.download = link.dataset.name;
    save.click();
    URL.revokeObjectURL(save.href);
  });
}
