// The package has its sources as its types, which do not compile with this project's settings.

/** Unpacks an LZMA file, with or without an end mark. @throws Error if it is damaged or cut off */
export function decompress(data: Uint8Array): Uint8Array<ArrayBuffer>
