import { expect, it } from 'vitest'
import { languages } from '../../../contract/constants.ts'
import { pageSlugs } from '../../../contract/content.ts'
import type { Article } from '../../../contract/content.ts'
import { parseDocument } from '../../../server/content/document.ts'
import { templateContextFor } from '../../../server/content/templateContext.ts'
import { languageFor } from '../../../server/content/languageFor.ts'
import { readPages, readSeeds } from '../../../server/content/seeds.ts'
import { renderTemplate } from '../../../server/content/template.ts'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import { call } from '../../support/testVenue.ts'
import { openContentVenueForFile, venueFacts, openContentVenue } from '../../support/contentVenue.ts'

type List = { items: Article[]; nextCursor: string | null }

const { venue } = await openContentVenueForFile()
const get = async <T>(path: string) => (await call<T>(venue.app, 'GET', path)).body

it.each([true, false])(
  'every standing text is there in ten languages, with nothing left open (practice: %s)',
  async (practice) => {
    const factsIn = (lang: (typeof languages)[number]) =>
      templateContextFor(venueFacts(practice, ['2026-05-01']), lang)
    const pages = await readPages(factsIn)
    const seeds = [...(await readSeeds('news', factsIn)), ...(await readSeeds('highlights', factsIn))]
    const articles = [
      ...pageSlugs.map((slug) => [slug, pages.get(slug) ?? []] as const),
      ...seeds.map(({ id, texts }) => [id, texts] as const),
    ]
    expect(articles.map(([id]) => id)).toHaveLength(9)
    for (const [id, texts] of articles) {
      expect([id, texts.map(({ lang }) => lang).sort()]).toEqual([id, [...languages].sort()])
      for (const { body, title } of texts) expect(body + title).not.toMatch(/\{\{|\}\}|\n{3}/)
      expect(new Set(texts.map(({ body }) => body)).size).toBe(languages.length)
    }
  },
)

it('texts in Vietnamese are composed, French ones spaced, none has straight quotes of another language', async () => {
  const pages = await readPages((lang) => templateContextFor(venueFacts(), lang))
  for (const texts of pages.values())
    for (const { lang, body } of texts) {
      expect(body).toBe(body.normalize('NFC'))
      if (lang === 'fr') expect(body).not.toMatch(/[^\s\u202F] ?[;!?%]|[^\u00A0] :/u)
      expect(body).not.toMatch(/["']/)
    }
})

it('the rules of the fund are written from what is enforced', async () => {
  const strict = venueFacts(true, ['2026-05-01', '2026-10-01'])
  const fund = { ...strict.fund, depositsPerDay: 7, fastCapPerDay: '2500.00' }
  const pages = await readPages((lang) => templateContextFor({ ...strict, fund }, lang))
  const bodyIn = (lang: string) =>
    pages
      .get('fund-rules')
      ?.find((text) => text.lang === lang)
      ?.body.replaceAll('\u00A0', ' ') ?? ''
  expect(bodyIn('en')).toContain('up to 7 times a day')
  expect(bodyIn('en')).toContain('2,500.00 USD a day in total')
  expect(bodyIn('en')).toContain('except 1 May 2026 and 1 Oct 2026.')
  expect(bodyIn('de')).toContain('höchstens 2.500,00 USD am Tag')
  expect(bodyIn('th')).toContain('2026')
  expect(bodyIn('th')).not.toContain('2569')
})

it('pages are served in the asked language, the default without one', async () => {
  for (const slug of pageSlugs) {
    expect(await get<Article>(`/pages/${slug}?lang=de`)).toMatchObject({ id: slug, lang: 'de', version: 1 })
    expect(await get<Article>(`/pages/${slug}`)).toMatchObject({ lang: 'zh-CN' })
  }
  expect((await call(venue.app, 'GET', '/pages/other')).status).toBe(404)
  expect((await call(venue.app, 'GET', '/pages/about?lang=xx')).status).toBe(400)
})

it('practice begins with news and highlights, planted once; live mode without', async () => {
  const news = await get<List>('/news?lang=ja')
  expect(news.items.map(({ id, lang }) => [id, lang])).toEqual([
    ['open-for-practice', 'ja'],
    ['fund-first-transfer', 'ja'],
  ])
  const highlights = await get<List>('/highlights?lang=en')
  expect(highlights.items.map(({ id }) => id)).toEqual(['proofs', 'withdrawals'])
  expect(await get<Article>('/highlights/proofs?lang=fr')).toMatchObject({ id: 'proofs', lang: 'fr' })
  expect((await call(venue.app, 'GET', '/news/proofs')).status).toBe(404)

  await venue.newContent()
  expect(await get<List>('/news?lang=ja')).toEqual(news)
  await venue.newContent({ ...venueFacts(), name: 'Upstick' })
  expect((await get<Article>('/news/open-for-practice?lang=en')).title).toBe('Upstick is open for practice')
  expect((await get<Article>('/news/open-for-practice?lang=en')).version).toBe(2)

  const other = await openMemoryDatabase()
  const live = await openContentVenue(other, false)
  expect((await call(live.app, 'GET', '/news')).body).toEqual({ items: [], nextCursor: null })
  await live.close()
  await other.close()
})

it('the desk publishes Markdown, language by language', async () => {
  const first = await venue.content.publish(
    'news',
    '---\nid: maintenance\nlang: en\ntitle: "Maintenance: Sunday"\n---\n\nFrom **02:00**.\n',
    'mei',
  )
  expect(first).toMatchObject({ id: 'maintenance', title: 'Maintenance: Sunday', version: 1 })
  expect(await get<Article>('/news/maintenance?lang=th')).toMatchObject({
    lang: 'en',
    body: 'From **02:00**.',
  })
  await venue.content.publish('news', '---\nid: maintenance\nlang: zh-CN\ntitle: 维护\n---\n周日', 'mei')
  expect(await get<Article>('/news/maintenance?lang=zh-TW')).toMatchObject({ lang: 'zh-CN', version: 2 })
  const unnamed = await venue.content.publish('highlight', '---\nlang: en\ntitle: New\n---\nText', 'mei')
  expect((await get<List>('/highlights?limit=1&lang=en')).items[0]).toEqual(unnamed)
  const { items } = await venue.audit.list({ limit: 3 })
  expect(items.map(({ actor, act, subject }) => [actor, act, subject.kind])).toEqual([
    ['mei', 'publish', 'highlight'],
    ['mei', 'publish', 'news'],
    ['mei', 'publish', 'news'],
  ])
  await expect(
    venue.content.publish('highlight', '---\nid: maintenance\nlang: en\ntitle: X\n---\nText', 'mei'),
  ).rejects.toMatchObject({ status: 409, code: 'CONFLICT' })
  // What the desk wrote is not replaced by a build.
  await venue.content.publish('highlight', '---\nid: proofs\nlang: en\ntitle: Ours\n---\nText', 'mei')
  await venue.newContent({ ...venueFacts(), name: 'Again' })
  expect((await get<Article>('/highlights/proofs?lang=en')).title).toBe('Ours')
})

it('lists go on where they stopped while articles are added', async () => {
  const first = await get<List>('/news?limit=1')
  await venue.content.publish('news', '---\nlang: en\ntitle: Newer\n---\nText', 'mei')
  const second = await get<List>(`/news?limit=50&cursor=${first.nextCursor}`)
  expect(second.items.map(({ id }) => id)).not.toContain(first.items[0]?.id)
  expect(second.items.at(-1)?.id).toBe('fund-first-transfer')
  expect(second.nextCursor).toBeNull()
})

it.each([
  ['no front matter', 'Text', { file: 'INVALID' }],
  ['no end of it', '---\nlang: en\ntitle: X\nText', { file: 'INVALID' }],
  ['an unknown language', '---\nlang: xx\ntitle: X\n---\nText', { lang: 'INVALID' }],
  ['no title', '---\nlang: en\n---\nText', { title: 'INVALID' }],
  ['an id with a path', '---\nid: ../x\nlang: en\ntitle: X\n---\nText', { id: 'INVALID' }],
  ['an unknown name', '---\nlang: en\ntitle: X\nauthor: me\n---\nText', { file: 'INVALID' }],
  ['no body', '---\nlang: en\ntitle: X\n---\n\n', { body: 'REQUIRED' }],
  ['too long a body', `---\nlang: en\ntitle: X\n---\n${'a'.repeat(20_001)}`, { body: 'TOO_LONG' }],
])('a file with %s is refused', (_what, text, fields) => {
  expect(() => parseDocument(text)).toThrow(expect.objectContaining({ status: 400, fields }))
})

it('a file may come from Windows', () => {
  const read = parseDocument('\uFEFF---\r\nlang: en\r\ntitle: X\r\n---\r\nOne\r\n')
  expect(read).toEqual({ lang: 'en', title: 'X', body: 'One' })
})

it('a text that names what there is not stops the start', () => {
  const words = { a: 'A' }
  expect(renderTemplate('{{a}}', { values: words, conditions: {} })).toBe('A')
  expect(() => renderTemplate('{{b}}', { values: words, conditions: {} })).toThrow('b')
  expect(() => renderTemplate('{{#c}}x{{/c}}', { values: words, conditions: {} })).toThrow('c')
  expect(
    renderTemplate('1{{#c}} 2{{/c}}\n{{#c}}\n- 3\n{{/c}}\n4', { values: words, conditions: { c: false } }),
  ).toBe('1\n4')
  expect(
    renderTemplate('1{{#c}} 2{{/c}}\n{{#c}}\n- 3\n{{/c}}\n4', { values: words, conditions: { c: true } }),
  ).toBe('1 2\n- 3\n4')
})

it.each([
  ['ja', ['en', 'ja'], 'ja'],
  ['ja', ['en', 'zh-CN'], 'en'],
  ['zh-TW', ['en', 'zh-CN'], 'zh-CN'],
  ['fr', ['ko', 'zh-CN'], 'zh-CN'],
  ['fr', ['ko'], 'ko'],
  [undefined, ['en', 'zh-CN'], 'zh-CN'],
  ['fr', [], undefined],
] as const)('asked for %s of %j gives %s', (asked, there, used) => {
  expect(languageFor(asked, (lang) => (there as readonly string[]).includes(lang))).toBe(used)
})

it('a client says that a resource would not load', async () => {
  const say = (body: unknown) => call(venue.app, 'POST', '/client-errors', { body })
  expect((await say({ kind: 'timeout', resource: '/assets/x.js', build: 'b1' })).status).toBe(204)
  expect((await say({ kind: 'bored', resource: 'x', build: 'b1' })).status).toBe(400)
  expect(venue.failures).toEqual(['timeout'])
  for (let i = 0; i < 30; i++) await say({ kind: 'missing', resource: '/a.js', build: 'b1' })
  expect(venue.failures).toHaveLength(10)
  await venue.clock.advance(6000)
  await say({ kind: 'other', resource: '/a.js', build: 'b1' })
  expect(venue.failures.at(-1)).toBe('other +21')
})
