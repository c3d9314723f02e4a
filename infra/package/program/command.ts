// The command line of the package, behind `bin.js`. `start` and `operate` are the programs of the npm scripts.
const [first] = process.argv.slice(2);
if (first === 'start') {
  process.argv.splice(2, 1);
  await import('../../local/main.ts');
} else if (first === 'operate') {
  process.argv.splice(2, 1);
  await import('../../operate/main.ts');
} else {
  const { operate } = await import('../../operate/program.ts');
  const { PROCESS_HOST } = await import('../../operate/frame/process-host.ts');
  const { createPackageProgram } = await import('./program.ts');
  process.exit(await operate(process.argv.slice(2), PROCESS_HOST, createPackageProgram));
}
