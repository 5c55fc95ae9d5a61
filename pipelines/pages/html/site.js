"use strict";
// Small helps only: every page works without them.
document.addEventListener("keydown", (event) => {
  const field = document.querySelector("input[type=search]");
  if (event.key === "/" && field && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});
document.addEventListener("submit", (event) => {
  const button = event.target.querySelector("button[data-busy]");
  if (button) {
    button.textContent = button.dataset.busy;
    setTimeout(() => { button.disabled = true; }, 0);
  }
});
