import type { Language } from '../../../contract/constants.ts'

export type PdfColumn = { label: string; width: number; isNumber?: true }

/** The text of a document above its rows, and its columns. Plain data, because it is sent to a thread. */
export type PdfDocument = {
  language: Language
  fontPath: string
  title: string
  note: string | null
  facts: readonly string[]
  tables: readonly { columns: readonly PdfColumn[]; rows: readonly (readonly string[])[] }[]
  columns: readonly PdfColumn[]
}

/** To the thread: rows, or null at the end. From it: what they add to the file. */
export type PdfRows = readonly (readonly string[])[] | null
