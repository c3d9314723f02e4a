#!/usr/bin/env node
// The program of the package. An older Node.js cannot read the other files.

const MAJOR = 22;
const MINOR_MIN = 12;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < MAJOR || (major === MAJOR && minor < MINOR_MIN)) {
  process.stderr.write(
    `Node.js ${process.version} is too old: install Node.js ${MAJOR}.${MINOR_MIN} or later.\n`,
  );
  process.exit(1);
}
await import('./command.js');
