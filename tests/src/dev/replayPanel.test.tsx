// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseRecording } from '../../../contract/recording.ts'
import { serveReplay, type ReplayServer } from '../../../packages/uptick/src/cli/replayServer.ts'
import { replayProduct } from '../../../packages/uptick/src/replayedMarket.ts'
import { createReplayControl } from '../../../src/dev/replayControl.ts'
import { ReplayPanel } from '../../../src/dev/ReplayPanel.tsx'
import { replayTexts } from '../../../src/dev/replayTexts.ts'
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { muteFailedRequests } from '../../support/failedRequests.ts'
import { mount, one } from '../ui/mount.tsx'

muteFailedRequests()

const from = Date.UTC(2024, 7, 8, 12)
const rows = Array.from({ length: 3600 }, (_, i) => `${from + i * 1000},${100 + (i % 7)},1,,`)
let server: ReplayServer

beforeEach(async () => {
  // The replay is behind the page in development; here it has a port of its own.
  const { happyDOM } = window as unknown as { happyDOM: { settings: { fetch: object } } }
  Object.assign(happyDOM.settings.fetch, { disableSameOriginPolicy: true })
  const recording = parseRecording(`ts_ms,price,size,bid,ask\n${rows.join('\n')}\n`, 2)
  const report = {
    savedAt: from,
    appVersion: '1.0.0',
    build: 'index-a1b2.js',
    page: '/pages/set/set',
    previousPage: '/pages/index/index',
  }
  server = await serveReplay([replayProduct('BTC', recording)], { port: 0, speed: 1, waits: true, report })
  await startI18n()
  await changeLanguage('en')
  await mount(<ReplayPanel control={createReplayControl(server.url)} />)
  // Answers of a real server arrive at any time, not inside an `act`.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await expect.poll(shown).toContain('12:00:00 of 12:00:00 to 12:59:59 UTC')
})
afterEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  await server.close()
})

const shown = (): string => document.body.textContent
const button = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll('button')].find((each) => each.textContent.startsWith(name))
  if (!found) throw new Error(`no button ${name}`)
  return found
}
function enter(field: HTMLInputElement | HTMLSelectElement, value: string): void {
  // React overrides the setter of the element itself, and takes no notice of a value set through it.
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', value, field)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
function jumpTo(time: string): void {
  enter(one('input'), time)
  button('Jump').click()
}

it('plays and pauses, and sets the speed', async () => {
  const { clock } = server.market
  button('Play').click()
  await expect.poll(() => clock.isPaused).toBe(false)
  await expect.poll(shown).toContain('Pause')
  enter(one('select'), '20')
  await expect.poll(() => clock.speed).toBe(20)
  button('Pause').click()
  await expect.poll(() => clock.isPaused).toBe(true)
})

it('steps a second and jumps to a later time, in pause', async () => {
  const { clock } = server.market
  button('Step').click()
  await expect.poll(() => clock.now()).toBe(from + 1000)
  jumpTo('12:30')
  await expect.poll(() => clock.now()).toBe(from + 1_800_000)
  await expect.poll(shown).toContain('12:30:00 of')
  expect(clock.isPaused).toBe(true)
})

it('leaves out ten seconds that begin in a second', async () => {
  button('Gap').click()
  await expect.poll(() => server.market.find('BTC').gaps).toEqual([{ from: from + 1000, to: from + 11_000 }])
})

it('shows of which report it is, with links to its pages', () => {
  expect(shown()).toContain(
    'Report of 2024-08-08T12:00:00.000Z, 1.0.0 (index-a1b2.js), page /pages/set/set, before it /pages/index/index',
  )
  const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  expect(links).toEqual(['#/pages/set/set', '#/pages/index/index'])
})

it('says what a time looks like, and what the replay rejects', async () => {
  jumpTo('soon')
  await expect.poll(shown).toContain('Write a time of the recording in UTC')
  server.market.clock.seek(from + 1_800_000)
  button('Gap').click()
  await expect.poll(shown).toContain('a gap begins at')
})

it('speaks the page’s language', async () => {
  for (const texts of Object.values(replayTexts))
    expect(Object.keys(texts)).toEqual(Object.keys(replayTexts.en))
  await changeLanguage('de')
  await expect.poll(shown).toContain('12:00:00 (12:00:00 bis 12:59:59 UTC)')
})
