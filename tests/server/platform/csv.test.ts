import { expect, it } from 'vitest'
import { csv } from '../../../server/platform/csv.ts'

async function cellOf(text: string): Promise<string> {
  const pages = (async function* () {
    yield [[text]]
  })()
  let file = ''
  for await (const part of csv(['head'], pages)) file += part
  return file.slice('"head"\r\n'.length, -'\r\n'.length)
}

it.each(['=1+1', '+1+1', '-1+1', '@SUM(1)', '＝1+1', '＋1', '－1+1', '＠SUM(1)', '\t=1', '\r=1', '\n=1'])(
  'a spreadsheet does not run the cell %j',
  async (text) => expect(await cellOf(text)).toBe(`"'${text}"`),
)

it.each(['-1.00', '1', 'name', 'a=b'])('the cell %j stays as it is', async (text) =>
  expect(await cellOf(text)).toBe(`"${text}"`),
)

it('quotes end no cell', async () => expect(await cellOf('a","=1+1')).toBe('"a"",""=1+1"'))
