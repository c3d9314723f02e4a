import { type Markup, markup, trusted } from '../../../../lib/pages/markup.ts';
import { copyButton } from './elements.ts';

/** The languages of the samples, in the order of their tabs. */
const LANGUAGES = { curl: 'curl', node: 'Node.js', python: 'Python', php: 'PHP' } as const;

export type Language = keyof typeof LANGUAGES;

/** Programs that do the same, by their languages. */
export type Samples = Readonly<Partial<Record<Language, string>>>;

/**
 * Comments, strings, words of the languages, and numbers, each in a group of its own. A string may lack its end: otherwise, each
 * quotation mark of a text without an end would be searched to the end of the text.
 */
const TOKENS =
  /(?<comment>(?<=^|\s)(?:#|\/\/).*$)|(?<string>"""[^]*?"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?)|(?<word>\b(?:async|await|const|def|echo|except|export|for|from|function|if|import|in|let|new|print|raise|return|throw|try|use|with|curl|true|false|null|None|True|False)\b(?!\s*:))|(?<number>\b\d+(?:\.\d+)?\b)/gm;

/** A program or JSON with the colours of its strings, words, numbers and comments. */
export const highlight = (text: string): Markup => {
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: token, index, groups = {} } of text.matchAll(TOKENS)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    parts.push(markup`${text.slice(end, index)}<span class="${trusted(`t-${kind}`)}">${token}</span>`);
    end = index + token.length;
  }
  return markup`${parts}${text.slice(end)}`;
};

/** A program, JSON or bytes, with a button that copies it. */
export const codeBlock = (id: string, label: string, text: string): Markup =>
  markup`<div class="code">${copyButton(id, label)}
<pre tabindex="0"><code id="${id}">${highlight(text)}</code></pre></div>
`;

/**
 * A sample in each language, with tabs. It shows the language of the reader's last choice, on any page. Without a script, the
 * tabs work, and the first language is shown.
 *
 * @param name distinguishes the samples of a page
 * @param label what the samples do, for the buttons that copy them
 */
export const codeTabs = (name: string, label: string, samples: Samples): Markup => {
  const languages = (Object.keys(LANGUAGES) as Language[]).filter((each) => samples[each] !== undefined);
  const tabs = languages.map(
    (language, index) =>
      markup`<label><input type="radio" name="${name}" value="${language}"${index === 0 && markup` checked`}> ${LANGUAGES[language]}</label>`,
  );
  const panels = languages.map(
    (language) =>
      markup`<div class="panel" data-language="${language}">
${codeBlock(`${name}-${language}`, `${label} for ${LANGUAGES[language]}`, samples[language] ?? '')}</div>`,
  );
  return markup`<fieldset class="tabs"><legend>Language</legend>
<div class="choices">${tabs}</div>
${panels}</fieldset>`;
};
