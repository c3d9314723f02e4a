/** Replaces curl where it is not installed. Supports `-i URL [-H HEADER]... -d BODY`. */
const words = process.argv.slice(2);
const valuesOf = (flag: string): string[] => words.filter((_, index) => words[index - 1] === flag);

const url = words.find((word) => word.startsWith('http')) ?? '';
const headers = valuesOf('-H').map((header): [string, string] => {
  const [name = '', ...value] = header.split(': ');
  return [name, value.join(': ')];
});
const response = await fetch(url, { method: 'POST', headers, body: valuesOf('-d')[0] ?? null });
const body = await response.text();
process.stdout.write(`HTTP/1.1 ${response.status} ${response.statusText}\r\n\r\n${body}`);
