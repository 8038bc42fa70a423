import { expect, test } from '@playwright/test'
import { scriptStrings, sqlStrings } from '../support/safety/attacks.ts'
import { plant } from '../support/safety/plant.ts'
import { showPlanted } from '../support/safety/showing.ts'
import { deskKey } from './desk.ts'
import { newMember } from './member.ts'

/** One of each way out: an element, an attribute, an address, Markdown, a template; and one of SQL. */
const texts = [
  scriptStrings[0],
  scriptStrings[10],
  scriptStrings[14],
  scriptStrings[40],
  scriptStrings[45],
  scriptStrings[54],
  sqlStrings[14],
].filter((text) => text !== undefined)

test('hostile texts in every field do nothing on any page and stand there as they were typed', async ({
  context,
  baseURL,
}) => {
  test.setTimeout(300_000)
  const venue = { url: baseURL ?? '', deskKey }
  const { account, phone } = newMember()
  const planted = await plant(venue, account, phone, texts)
  expect(planted.faults).toEqual([])
  const { faults, literal } = await showPlanted(context, venue, planted, texts)
  expect(faults).toEqual([])
  expect(literal).toBeGreaterThan(4 * texts.length)
})
