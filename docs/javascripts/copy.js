// The copy button takes the code of an example, without prompts and without what it prints.
const PROMPTS = { pycon: /^(>>>|\.\.\.)( |$)/, console: /^\$ / };

function commandsOf(text, prompt) {
  const kept = [];
  let continued = false;
  for (const line of text.split("\n")) {
    if (prompt.test(line) || continued) {
      kept.push(line.replace(prompt, ""));
      continued = line.endsWith("\\");
    }
  }
  return kept.join("\n");
}

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("[data-clipboard-target]");
    const block = button && button.closest(".language-pycon, .language-console");
    if (!block) return;
    const language = block.classList.contains("language-pycon") ? "pycon" : "console";
    const text = block.querySelector("code").textContent;
    button.setAttribute("data-clipboard-text", commandsOf(text, PROMPTS[language]));
  },
  true,
);
