"use strict";
(() => {
  const form = document.getElementById("filters");
  if (form) {
    const articles = [...document.querySelectorAll("article.answer")];
    const texts = new Map();
    const search = document.getElementById("q");
    const category = document.getElementById("category");
    const boxes = [...form.querySelectorAll("input[name=kind]")];
    const shown = document.getElementById("shown");
    const plain = (text) => text.normalize("NFKC").toLocaleLowerCase();
    const textOf = (article) => {
      if (!texts.has(article)) texts.set(article, plain(article.textContent));
      return texts.get(article);
    };
    for (const box of boxes) {
      if (!articles.some((article) => article.dataset.kinds.split(" ").includes(box.value))) box.disabled = true;
    }
    const apply = () => {
      const words = plain(search.value).split(/\s+/).filter(Boolean);
      const kinds = boxes.filter((box) => box.checked).map((box) => box.value);
      let count = 0;
      for (const article of articles) {
        const own = article.dataset.kinds.split(" ");
        const fits =
          (!category.value || article.dataset.category === category.value) &&
          (!kinds.length || kinds.some((kind) => own.includes(kind))) &&
          words.every((word) => textOf(article).includes(word));
        article.hidden = !fits;
        count += fits;
      }
      shown.textContent = count === articles.length ? `${count} answers` : `${count} of ${articles.length} answers`;
    };
    let timer = 0;
    search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(apply, 120);
    });
    form.addEventListener("change", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    const fold = document.getElementById("fold");
    fold.addEventListener("click", () => {
      const open = fold.textContent === "Open all";
      for (const article of articles) article.querySelector("details").open = open;
      fold.textContent = open ? "Fold all" : "Open all";
    });
    form.hidden = false;
    apply();
  }
  // A link to a claim or an answer must find it, whatever is filtered out or folded.
  const reveal = (hash) => {
    const target = /^#[acm]\d+$/.test(hash) && document.getElementById(hash.slice(1));
    for (let at = target; at; at = at.parentElement) {
      if (at.matches("article.answer")) at.hidden = false;
      if (at.matches("details")) at.open = true;
    }
    return target;
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link) reveal(link.getAttribute("href"));
  });
  addEventListener("hashchange", () => reveal(location.hash));
  const target = reveal(location.hash);
  if (target) target.scrollIntoView();
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
