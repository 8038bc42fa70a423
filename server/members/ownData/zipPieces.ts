import { Zip, ZipDeflate } from 'fflate'

/** A file of an archive: its text, produced as it is needed. */
export type ArchiveFile = { name: string; pieces: AsyncIterable<string> }

/** The bytes of a ZIP archive, piece by piece: no file is in memory as a whole. */
export async function* zipPieces(files: readonly ArchiveFile[], now: number): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    ready.push(bytes)
  })
  const takeReady = (): Uint8Array[] => {
    const bytes = ready
    ready = []
    return bytes
  }
  for (const { name, pieces } of files) {
    const file = new ZipDeflate(name, { level: 6 })
    file.mtime = now
    zip.add(file)
    for await (const piece of pieces) {
      file.push(Buffer.from(piece))
      yield* takeReady()
    }
    file.push(new Uint8Array(), true)
    yield* takeReady()
  }
  zip.end()
  yield* takeReady()
}
