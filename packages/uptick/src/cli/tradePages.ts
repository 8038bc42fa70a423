import { text } from 'node:stream/consumers'
import { UsageError } from './command.ts'
import { openText } from './packedFile.ts'

/** Where one page ends and the next one begins: within JSON there is a comma between two brackets. */
const betweenPages = /(?<=[\]}])\s*(?=[[{])/

/**
 * The JSON values of a file, one after the other or each on its own line, such as the pages of a call.
 * @param prepare changes the text before it is parsed
 * @throws UsageError if one is not JSON
 */
export async function readPages(
  path: string,
  prepare = (content: string): string => content,
): Promise<unknown[]> {
  const content = prepare((await text(openText(path))).trim())
  try {
    return content.split(betweenPages).map((page): unknown => JSON.parse(page))
  } catch {
    throw new UsageError(`${path} is no file of trades: it is not JSON`)
  }
}
