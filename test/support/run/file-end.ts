let work: (() => Promise<void>)[] = [];

/** Does something after the last test of the file that runs, also if called before its first. */
export const atFileEnd = (each: () => Promise<void>): void => {
  work.push(each);
};

/** For the `afterAll` of the setup. */
export const endFile = async (): Promise<void> => {
  const all = work;
  work = [];
  await Promise.all(all.map((each) => each()));
};
