import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { InvalidField } from '../../requests/invalid-field.ts';
import { parseCheckedJson } from './checked-json.ts';
import { jsonSyntaxIssue } from './json-syntax.ts';

/** A JSON token (RFC 8259, 2): a string, even without its end, a structural character, a number or a word. No backtracking. */
const TOKEN = /"(?:[^"\\]+|\\[^])*"?|[{}[\]:,]|[^\t\n\r "{}[\]:,]+/g;

/** Whether a text has more than `tokensMax` JSON tokens. The text may be invalid JSON. It stops one token after the maximum. */
const hasMoreTokens = (json: string, tokensMax: number): boolean => {
  TOKEN.lastIndex = 0;
  for (let tokens = 0; tokens <= tokensMax; tokens += 1) if (!TOKEN.test(json)) return false;
  return true;
};

/** Decision: far above any valid request, but fast to parse. */
export const BODY_BYTES_MAX = 128 * 1_024;

/** A valid request has fewer than 300. The work of the parser's reviver and of the validation grows with the tokens. */
export const JSON_TOKENS_MAX = 1_000;

/** Compares a body's size with the bound. It does not encode a body that is far too long. */
const isTooLarge = (body: string, isBase64: boolean): boolean =>
  isBase64
    ? Buffer.byteLength(body, 'base64') > BODY_BYTES_MAX
    : body.length > BODY_BYTES_MAX || Buffer.byteLength(body) > BODY_BYTES_MAX;

const issue = (message: string, path = ''): readonly InvalidField[] => [{ path, message }];

/** `application/json`, or a type with the suffix `+json`, with any parameters (RFC 9110, 8.3; RFC 6839, 3.1). */
const JSON_MEDIA_TYPE = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Types that clients send by default. A message repeats no other one. */
const OTHER_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

const typeMessage = (type: string): string => {
  const sent = OTHER_TYPES.find((each) => type.trim().toLowerCase().startsWith(each));
  return `Content-Type must be application/json${sent === undefined ? '' : `, not ${sent}`}`;
};

/**
 * Decodes a body. It ignores a byte order mark, which some libraries write, as RFC 8259, 8.1, allows.
 *
 * @returns `undefined` if the body is not UTF-8
 */
const decodeBody = (body: string, isBase64: boolean): string | undefined => {
  if (!isBase64) return body.isWellFormed() ? body.replace(/^\uFEFF/, '') : undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64'));
  } catch {
    return undefined;
  }
};

/** A request's body, with lower-case header names. */
type SentBody = Pick<APIGatewayProxyEvent, 'body' | 'headers' | 'isBase64Encoded'>;

/** The text of a body, or the issues that need no parsing. */
const readBody = ({ body, headers, isBase64Encoded }: SentBody): string | readonly InvalidField[] => {
  if (!body) return issue('A JSON body is required');
  const type = headers['content-type'] ?? '';
  if (!JSON_MEDIA_TYPE.test(type)) return issue(typeMessage(type), 'headers.content-type');
  if (isTooLarge(body, isBase64Encoded)) return issue(`Must have at most ${BODY_BYTES_MAX} bytes`);
  const text = decodeBody(body, isBase64Encoded);
  if (text === undefined) {
    // Plain JSON stays valid with any Content-Encoding, because some clients send `utf-8` in it.
    return headers['content-encoding'] === undefined
      ? issue('Must be valid UTF-8')
      : issue(
          'The body must not be compressed: send it without Content-Encoding',
          'headers.content-encoding',
        );
  }
  return hasMoreTokens(text, JSON_TOKENS_MAX)
    ? issue(`Must have at most ${JSON_TOKENS_MAX} JSON tokens`)
    : text;
};

/** A parsed body, or its issues. */
interface ParsedBody {
  readonly body?: unknown;
  readonly issues?: readonly InvalidField[];
  /** The fields whose numbers lost digits. */
  readonly roundedNumbers?: readonly string[];
}

/** Parses the JSON body of a request. */
export const parseJsonBody = (sent: SentBody): ParsedBody => {
  const json = readBody(sent);
  if (typeof json !== 'string') return { issues: json };
  const parsed = parseCheckedJson(json);
  if (!parsed) return { issues: issue(`Must be valid JSON: ${jsonSyntaxIssue(json)}`) };
  const { value, namesPrototype, roundedNumbers } = parsed;
  return namesPrototype
    ? { issues: issue('Must have no field __proto__ or constructor.prototype') }
    : { body: value, roundedNumbers };
};
