/**
 * The text of a file without the byte order mark that editors and spreadsheets put before it.
 * @param text the file decoded as UTF-8, or its beginning
 * @throws RangeError if the file is UTF-16
 */
export function startOfText(text: string): string {
  // The mark of UTF-16 is no UTF-8; without one, every second byte of such a text is zero.
  if (text.startsWith('\ufffd\ufffd') || text.slice(0, 4).includes('\0'))
    throw new RangeError('it is UTF-16 text: save it as UTF-8')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/**
 * The JSON of a file.
 * @param text the file decoded as UTF-8
 * @throws SyntaxError if it is not JSON, RangeError if it is UTF-16
 */
export const parseJsonFile = (text: string): unknown => JSON.parse(startOfText(text))
