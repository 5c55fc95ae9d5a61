"use strict";
// Small helps only: every page works without them. Loaded before the page is shown (no defer), so
// that no key is pressed on a page that does not hear it yet.
let leaving = false; // a form is on its way: nothing is sent twice, no key goes to the old page
window.addEventListener("pageshow", () => { leaving = false; });
document.addEventListener("keydown", (event) => {
  const field = document.querySelector("input[type=search]");
  if (event.key === "/" && field && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});
document.addEventListener("submit", (event) => {
  if (leaving) {
    event.preventDefault();
    return;
  }
  leaving = true;
  const button = event.target.querySelector("button[data-busy]");
  if (button) {
    button.textContent = button.dataset.busy;
    setTimeout(() => { button.disabled = true; }, 0);
  }
});
// Keys of a page: what has data-key is pressed by it, outside of text fields.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || leaving) return;
  const field = event.target.closest("input, textarea, select, button, a");
  if (field && !(field.type === "radio" || field.type === "checkbox")) return;
  const wanted = Array.from(document.querySelectorAll("[data-key]"));
  const element = wanted.find((each) => each.dataset.key === event.key);
  if (element) {
    event.preventDefault();
    element.click();
    element.focus();
  }
});
