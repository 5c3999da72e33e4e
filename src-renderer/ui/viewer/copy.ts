import type { ViewerPage, Word } from './page.ts';
import { textOf } from './text-lines.ts';

/** The element of a word that contains a node. */
function wordElement(node: Node | null): HTMLElement | null {
  const element = node instanceof Element ? node : (node?.parentElement ?? null);
  return element?.closest<HTMLElement>('[data-word]') ?? null;
}

/** The selected part of a word. */
function trimmed(word: Word, element: HTMLElement, range: Range): Word {
  const from =
    wordElement(range.startContainer) === element && range.startContainer.nodeType === Node.TEXT_NODE
      ? range.startOffset
      : 0;
  const to =
    wordElement(range.endContainer) === element && range.endContainer.nodeType === Node.TEXT_NODE
      ? range.endOffset
      : word[0].length;
  return [word[0].slice(from, to), word[1], word[2], word[3], word[4]];
}

/** The selected words in reading order with line breaks; empty if the selection contains no word of a page. */
export function selectedText(root: HTMLElement, selection: Selection | null, pages: readonly ViewerPage[]): string {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return '';
  const range = selection.getRangeAt(0);
  const texts = [...root.querySelectorAll<HTMLElement>('.vw-text')].map((layer) => {
    const words = pages.find((page) => page.page === Number(layer.dataset['page']))?.words ?? [];
    const picked = [...layer.querySelectorAll<HTMLElement>('[data-word]')]
      .filter((element) => range.intersectsNode(element))
      .flatMap((element) => {
        const word = words[Number(element.dataset['word'])];
        return word ? [trimmed(word, element, range)] : [];
      })
      .filter((word) => word[0] !== '');
    return textOf(picked);
  });
  return texts.filter((text) => text !== '').join('\n\n');
}
