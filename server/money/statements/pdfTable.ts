import { once } from 'node:events'
import PDFDocument from 'pdfkit'
import type { PdfColumn, PdfDocument } from './pdfDocument.ts'

const [margin, lineHeight, gap] = [36, 15, 6]
const [textSize, titleSize] = [8, 15]
const [ink, pale, line] = ['#111827', '#6b7280', '#d1d5db']
/** Every viewer has it, and its widths need no font file: most cells are figures. */
const figures = 'Helvetica'

/**
 * A table over as many A4 pages as it needs, the columns named on each. A page is written when the next one begins, so
 * that memory does not grow with the rows.
 */
export class PdfTable {
  readonly #document: PdfDocument
  readonly #pdf: PDFKit.PDFDocument
  #chunks: Buffer[] = []
  #y = margin
  #page = 0

  constructor(document: PdfDocument) {
    this.#document = document
    this.#pdf = new PDFDocument({
      size: 'A4',
      layout: 'landscape',
      margin,
      autoFirstPage: false,
      font: document.fontPath,
      lang: document.language,
      displayTitle: true,
      info: { Title: document.title },
    })
    this.#pdf.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    this.#beginPage()
    this.#head()
    this.#columnNames(document.columns)
  }

  /** Draws rows; returns what the file has more. */
  add(rows: readonly (readonly string[])[]): Uint8Array {
    for (const row of rows) {
      this.#makeRoom(1, () => this.#columnNames(this.#document.columns))
      this.#row(this.#document.columns, row, ink)
    }
    return this.#take()
  }

  async end(): Promise<Uint8Array> {
    const ended = once(this.#pdf, 'end')
    this.#pdf.end()
    await ended
    return this.#take()
  }

  #take(): Uint8Array {
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = []
    return bytes
  }

  #head(): void {
    const { title, note, facts, tables } = this.#document
    this.#text(title, margin, this.#width, { size: titleSize })
    this.#y += titleSize + gap
    if (note !== null) {
      this.#text(note, margin, this.#width, { color: '#b45309' })
      this.#y += lineHeight
    }
    for (const fact of facts) {
      this.#text(fact, margin, this.#width, { color: pale })
      this.#y += lineHeight
    }
    for (const { columns, rows } of tables) {
      this.#y += gap
      this.#makeRoom(2, () => undefined)
      this.#columnNames(columns)
      for (const row of rows) {
        this.#makeRoom(1, () => this.#columnNames(columns))
        this.#row(columns, row, ink)
      }
    }
    this.#y += gap
    this.#makeRoom(2, () => undefined)
  }

  get #width(): number {
    return this.#pdf.page.width - 2 * margin
  }

  /** Begins a page with the month and its number at the bottom. */
  #beginPage(): void {
    this.#pdf.addPage()
    this.#page += 1
    // Below the margin, where pdfkit would otherwise begin another page.
    this.#pdf.page.margins.bottom = 0
    this.#y = this.#pdf.page.height - margin + gap
    this.#text(this.#document.title, margin, this.#width - 60, { color: pale })
    this.#text(String(this.#page), margin + this.#width - 60, 60, { color: pale, isNumber: true })
    this.#y = margin
  }

  #makeRoom(lines: number, onNewPage: () => void): void {
    if (this.#y + lines * lineHeight <= this.#pdf.page.height - margin) return
    this.#beginPage()
    onNewPage()
  }

  #columnNames(columns: readonly PdfColumn[]): void {
    this.#row(
      columns,
      columns.map(({ label }) => label),
      pale,
    )
    const width = columns.reduce((sum, column) => sum + column.width, 0)
    this.#pdf
      .moveTo(margin, this.#y - 3)
      .lineTo(margin + width, this.#y - 3)
      .lineWidth(0.5)
      .strokeColor(line)
      .stroke()
  }

  #row(columns: readonly PdfColumn[], cells: readonly string[], color: string): void {
    let x = margin
    columns.forEach(({ width, isNumber = false }, column) => {
      this.#text(cells[column] ?? '', x, width - gap, { color, isNumber })
      x += width
    })
    this.#y += lineHeight
  }

  /** One line at the current height: at the right if it is a number, shortened if it is too long. */
  #text(
    text: string,
    x: number,
    width: number,
    { size = textSize, color = ink, isNumber = false }: { size?: number; color?: string; isNumber?: boolean },
  ): void {
    if (text === '') return
    let shown = printable(text)
    this.#pdf
      .font(isFigures(shown) ? figures : this.#document.fontPath)
      .fontSize(size)
      .fillColor(color)
    while (this.#pdf.widthOfString(shown) > width) shown = `${shown.replace(/…$/, '').slice(0, -1)}…`
    const left = isNumber ? x + width - this.#pdf.widthOfString(shown) : x
    // Fonts of different heights share one baseline.
    this.#pdf.text(shown, left, this.#y + size, { lineBreak: false, baseline: 'alphabetic' })
  }
}

/** Whether the letters are all in Helvetica's own set: figures, codes and most Latin text. */
const isFigures = (text: string): boolean => /^[\x20-\x7e\u00a0]*$/.test(text)

/** Without characters that some fonts lack: narrow spaces, word joiners, special hyphens. */
const printable = (text: string): string =>
  text
    .replaceAll(/[\u00ad\u2060]/g, '')
    .replaceAll('\u202f', '\u00a0')
    .replaceAll('\u2011', '-')
    .replaceAll('\u2212', '-')
