/** The part of the package that the tool uses. Its own types exist only after `install.ts` has run. */
declare module 'sharp' {
  interface Image {
    webp(options: { readonly lossless: true; readonly loop: number; readonly delay: number[] }): Image;
    toFile(path: string): Promise<unknown>;
  }
  export default function sharp(
    frames: Buffer[],
    options: { readonly join: { readonly animated: true } },
  ): Image;
}
