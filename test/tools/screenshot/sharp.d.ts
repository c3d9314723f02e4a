/** What the tool uses of the package, whose own types are missing until `install.ts` has installed it. */
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
