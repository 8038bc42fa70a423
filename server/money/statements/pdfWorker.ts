import { parentPort, workerData } from 'node:worker_threads'
import type { PdfDocument, PdfRows } from './pdfDocument.ts'
import { PdfTable } from './pdfTable.ts'

/** The thread that writes one document. */
function run(parent: NonNullable<typeof parentPort>, document: PdfDocument): void {
  const table = new PdfTable(document)
  parent.on('message', (rows: PdfRows) => {
    if (rows === null) void table.end().then((bytes) => parent.postMessage(bytes))
    else parent.postMessage(table.add(rows))
  })
}

if (parentPort !== null) run(parentPort, workerData as PdfDocument)
