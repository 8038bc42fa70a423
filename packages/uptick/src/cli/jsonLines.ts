import { recordingHeader } from '../../../../streams/replay/format.ts'

const names = ['at', ...recordingHeader.split(',').slice(1)]

/** A recording in whole rows as JSON, one object a row: numbers as they are written, but for zeros before them, missing fields left out. */
export async function* jsonLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    let text = ''
    for (const row of piece.split('\n'))
      if (row !== '' && row !== recordingHeader) text += `${objectOf(row)}\n`
    yield text
  }
}

const objectOf = (row: string): string =>
  `{${row
    .split(',')
    .flatMap((field, i) => (field === '' ? [] : [`"${names[i]}":${field.replace(/^0+(?=\d)/, '')}`]))
    .join(',')}}`
