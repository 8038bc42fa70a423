import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../platform/workers.ts'
import type { PdfDocument, PdfRows } from './pdfDocument.ts'

/**
 * Writes a document in a thread of its own, because reading a font of 20,000 letters takes as long as several frames of
 * prices. The next rows are read when the connection has taken what the previous ones added.
 */
export async function* writePdf(
  document: PdfDocument,
  pages: AsyncIterable<Exclude<PdfRows, null>>,
): AsyncGenerator<Uint8Array> {
  const worker = new Worker(workerUrl('money/statements/pdfWorker'), { workerData: document })
  const write = async (rows: PdfRows): Promise<Uint8Array> => {
    worker.postMessage(rows)
    const [bytes] = (await once(worker, 'message')) as [Uint8Array]
    return bytes
  }
  try {
    for await (const rows of pages) {
      const bytes = await write(rows)
      if (bytes.length > 0) yield bytes
    }
    yield await write(null)
  } finally {
    await worker.terminate()
  }
}
