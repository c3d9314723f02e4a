// Plain JavaScript, because a Node.js that is too old cannot read TypeScript. The npm scripts import this file first.

// From 24.12, Node.js runs TypeScript without a warning: https://nodejs.org/api/typescript.html
const MAJOR = 24;
const MINOR_MIN = 12;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** @param {string} message */
const reject = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

if (major < MAJOR || (major === MAJOR && minor < MINOR_MIN)) {
  const install = `install Node.js ${MAJOR}.${MINOR_MIN} or later`;
  // Only Linux has packages of Node.js: those for macOS get no security releases of this major version.
  const remedy = process.platform === 'linux' ? `run "npm ci --include=optional", or ${install}` : install;
  reject(`Node.js ${process.version} is too old: ${remedy}.`);
}

try {
  import.meta.resolve('commander');
} catch {
  reject('Packages are missing: run "npm ci --include=dev".');
}
