// Plain JavaScript, because a Node.js that is too old cannot read TypeScript. The npm scripts import this file first.
const MAJOR_MIN = 24;

if (Number.parseInt(process.versions.node, 10) < MAJOR_MIN) {
  process.stderr.write(
    `Node.js ${process.version} is too old, and the Node.js ${MAJOR_MIN} of the packages is not installed: ` +
      `run "npm ci --include=optional", or install Node.js ${MAJOR_MIN}.\n`,
  );
  process.exit(1);
}
