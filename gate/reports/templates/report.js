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
    const fold = (text) => text.normalize("NFKC").toLocaleLowerCase();
    const textOf = (article) => {
      if (!texts.has(article)) texts.set(article, fold(article.textContent));
      return texts.get(article);
    };
    for (const box of boxes) {
      if (!articles.some((article) => article.dataset.kinds.split(" ").includes(box.value))) box.disabled = true;
    }
    const apply = () => {
      const words = fold(search.value).split(/\s+/).filter(Boolean);
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
    // A link to a claim or an answer must find it, whatever is filtered out.
    document.addEventListener("click", (event) => {
      const link = event.target.closest('a[href^="#c"], a[href^="#m"], a[href^="#a"]');
      const target = link && document.getElementById(link.getAttribute("href").slice(1));
      const article = target && target.closest("article.answer");
      if (article) article.hidden = false;
    });
    form.hidden = false;
    apply();
  }
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
