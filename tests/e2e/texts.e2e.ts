import { scriptStrings, sqlStrings } from '../scenarios/safety/attacks.ts'
import { injectTexts } from '../scenarios/safety/injectTexts.ts'
import { showInjected } from '../scenarios/safety/xss.ts'
import { deskKey } from './officeCalls.ts'
import { newMember } from './member.ts'
import { expect, test } from './test.ts'

/** One text for each way to escape: an element, an attribute, a URL, Markdown, a template; and one of SQL. */
const texts = [
  scriptStrings[0],
  scriptStrings[10],
  scriptStrings[14],
  scriptStrings[40],
  scriptStrings[45],
  scriptStrings[54],
  sqlStrings[14],
].filter((text) => text !== undefined)

test('hostile texts in every field have no effect on any page and are shown literally', async ({
  context,
  baseURL,
}) => {
  const venue = { url: baseURL ?? '', deskKey }
  const { account, phone } = newMember()
  const injected = await injectTexts(venue, account, phone, texts)
  expect(injected.violations).toEqual([])
  expect(injected.calls).toBeGreaterThan(40 * texts.length)
  const { violations, shownLiterally } = await showInjected(context, venue, injected, texts)
  expect(violations).toEqual([])
  expect(shownLiterally).toBeGreaterThan(4 * texts.length)
})
