import { hasCharacters } from '../core/characters.ts';
import { unreadableTextIssue } from '../core/readable-text.ts';

/** A merchant's store. Keys, products, carts and events name it by its id. */
export interface Store {
  readonly id: string;
  /** The name that pages and messages show: 1 to 100 printable characters. */
  readonly name: string;
  readonly createdAtMs: number;
}

/** Whether a text can be a store's name. It has 1 to 100 printable characters, and not only blank ones. */
export const isStoreName = (text: string): boolean =>
  text.isWellFormed() && hasCharacters(text, 1, 100) && unreadableTextIssue(text) === undefined;
