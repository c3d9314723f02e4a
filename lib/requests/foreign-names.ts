import type { Part } from './named-parts.ts';

/** Names of other APIs that have no name here. */
export interface UnsupportedNames {
  /** Separated by spaces, in lower case, without separators. */
  readonly names: string;
  /** The end of the message: what to send instead, or why the API has no such name. */
  readonly reason: string;
  /** Beside this known name, nothing is lost. */
  readonly beside?: string;
  /** Whether nothing is lost with a value. Default: only with `null` */
  readonly isHarmless?: (value: unknown) => boolean;
}

/** Names of other APIs, for the names of a part. */
export interface ForeignNamesOfPart {
  /** By the name here: names of other APIs, written as {@link UnsupportedNames.names}. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly unsupported?: readonly UnsupportedNames[];
}

/** Names of other APIs that clients may send to an operation, by the part of the request. */
export type ForeignNames = Readonly<Partial<Record<Part, ForeignNamesOfPart>>>;

/** The names of a page's place and size in other APIs. */
export const PAGE_FOREIGN_NAMES = {
  after:
    'cursor startingafter startafter pageafter aftercursor nextcursor next nexttoken pagetoken nextpagetoken continuationtoken iterator page offset since sinceid lastid from',
  limit: 'pagelimit pagesize perpage size count maxresults max top take first',
};
