import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages, type Language } from '../../../../contract/constants.ts'
import { pageSlugs, type Article, type PageSlug } from '../../../../contract/content.ts'
import { retention } from '../../../../contract/retention.ts'
import { looseningDelayMs } from '../../../../contract/selfLimits.ts'
import { hourMs } from '../../../../contract/time.ts'
import { SettingsError } from '../../../../server/platform/settingsError.ts'
import { parseDocument } from '../../../../server/office/content/document.ts'
import { createContent } from '../../../../server/office/content/content.ts'
import {
  templateContexts,
  templatePartsOf,
  type TemplateParts,
} from '../../../../server/office/content/templateContext.ts'
import { languageFor } from '../../../../server/office/content/languageFor.ts'
import { readPages, readSeeds } from '../../../../server/office/content/seeds.ts'
import { renderTemplate } from '../../../../server/office/content/template.ts'
import { call } from '../../../support/apiCalls.ts'
import { withVenue } from '../../../support/withVenue.ts'

type List = { items: Article[]; nextCursor: string | null }

const venue = await withVenue()
const templateParts = (practice = true, holidays: string[] = []): TemplateParts =>
  templatePartsOf({
    ...venue.settings,
    mode: practice ? 'practice' : 'live',
    withdrawalRestMs: practice ? 0 : 24 * hourMs,
    operatorConfig: { ...venue.settings.operatorConfig, holidays },
  })
/** Reads the articles of the build again, as the next start does, for a venue of this name. */
const readBuildAgain = (name = 'Uptick') =>
  createContent({
    ...venue,
    settings: { ...venue.settings, operatorConfig: { ...venue.settings.operatorConfig, name } },
  })
const get = async <T>(path: string) => (await call<T>(venue.app, 'GET', path)).body

it.each([true, false])(
  'every seed text exists in ten languages and renders completely (practice: %s)',
  async (practice) => {
    const contexts = templateContexts(templateParts(practice, ['2026-05-01']))
    const pages = await readPages(contexts)
    const seeds = [...(await readSeeds('news', contexts)), ...(await readSeeds('highlights', contexts))]
    const articles = [
      ...pageSlugs.map((slug) => [slug, pages.get(slug) ?? []] as const),
      ...seeds.map(({ id, texts }) => [id, texts] as const),
    ]
    expect(articles.map(([id]) => id)).toHaveLength(9)
    for (const [id, texts] of articles) {
      expect([id, texts.map(({ lang }) => lang).sort()]).toEqual([id, [...languages].sort()])
      for (const { body, title } of texts) expect(body + title).not.toMatch(/\{\{|\}\}|\n{3}|[.。][.。]/)
      expect(new Set(texts.map(({ body }) => body)).size).toBe(languages.length)
    }
  },
)

it.each([
  [
    'without front matter',
    '# Privacy',
    'privacy.en.md: does not begin with front matter: ---, lines such as',
  ],
  ['without a title', '---\nlang: en\n---\nText', 'privacy.en.md: title is not valid'],
  ['without its day', '---\nlang: en\ntitle: Privacy\n---\nText', 'privacy.en.md has no updatedOn'],
  [
    'with a value that there is not',
    '---\nlang: en\ntitle: Privacy\nupdatedOn: 2026-05-01\n---\nOf {{nobody}}',
    'privacy.en.md: A text refers to the unknown value nobody.',
  ],
])('a page of the operator %s stops the start with a line that names it', async (_what, text, line) => {
  const folder = await mkdtemp(join(tmpdir(), 'uptick-pages-'))
  await writeFile(join(folder, 'privacy.en.md'), text)
  const reading = readPages(templateContexts(templateParts()), folder)
  await expect(reading).rejects.toThrow(SettingsError)
  await expect(reading).rejects.toThrow(line)
  await rm(folder, { recursive: true })
})

it('pages are in NFC, with French spacing and without straight quotes', async () => {
  const pages = await readPages(templateContexts(templateParts()))
  for (const texts of pages.values())
    for (const { lang, body } of texts) {
      expect(body).toBe(body.normalize('NFC'))
      if (lang === 'fr') expect(body).not.toMatch(/[^\s\u202F] ?[;!?%]|[^\u00A0] :/u)
      expect(body).not.toMatch(/["']/)
    }
})

it('the fund rules page contains the configured limits', async () => {
  const parts = templateParts(true, ['2026-05-01', '2026-10-01'])
  const fund = { ...parts.fund, depositsPerDay: 7, fastCapPerDay: '2500.00' }
  const pages = await readPages(templateContexts({ ...parts, fund }))
  const bodyIn = (lang: string) =>
    pages
      .get('fund-rules')
      ?.find((text) => text.lang === lang)
      ?.body.replaceAll('\u00A0', ' ') ?? ''
  expect(bodyIn('en')).toContain('All times are in China Standard Time.')
  expect(bodyIn('en')).toContain('up to 7 times a day')
  expect(bodyIn('en')).toContain('2,500.00 USD a day in total')
  expect(bodyIn('en')).toContain('except 1 May 2026 and 1 Oct 2026.')
  expect(bodyIn('de')).toContain('höchstens 2.500,00 USD am Tag')
  expect(bodyIn('th')).toContain('2026')
  expect(bodyIn('th')).not.toContain('2569')
})

describe('the pause of withdrawals after a security change', () => {
  /** The texts that state it, by language: the highlight on withdrawals and the rules of the fund. */
  const textsWith = async (restHours: number) => {
    const contexts = templateContexts({ ...templateParts(false), restHours })
    const highlight = (await readSeeds('highlights', contexts)).find(({ id }) => id === 'withdrawals')
    const rules = (await readPages(contexts)).get('fund-rules')
    return languages.map((lang) => {
      const of = (texts: readonly Pick<Article, 'lang' | 'title' | 'body'>[] | undefined) => {
        const text = texts?.find((each) => each.lang === lang)
        return text ? `${text.title}\n${text.body}` : ''
      }
      return { lang, highlight: of(highlight?.texts), rules: of(rules) }
    })
  }

  it('is told in every language with the hours of the setting', async () => {
    for (const { lang, highlight, rules } of await textsWith(36)) {
      expect([lang, highlight]).toEqual([lang, expect.stringContaining('36')])
      expect([lang, rules]).toEqual([lang, expect.stringContaining('36')])
    }
    const english = (await textsWith(36)).find(({ lang }) => lang === 'en')
    expect(english?.highlight).toContain('withdrawals are paused for 36\u00A0hours to protect your money.')
  })

  it('is told with all four causes on the page of rules', async () => {
    const causes = 4
    const without = await textsWith(0)
    for (const [i, { lang, rules }] of (await textsWith(24)).entries()) {
      const items = (text = '') => text.split('\n').filter((line) => line.startsWith('- ')).length
      expect([lang, items(rules) - items(without[i]?.rules)]).toEqual([lang, causes])
    }
  })

  it('is left out where the setting is 0, and the review stays', async () => {
    for (const { lang, highlight, rules } of await textsWith(0)) {
      expect([lang, highlight]).toEqual([lang, expect.not.stringMatching(/\d/)])
      expect([lang, rules.includes('24')]).toEqual([lang, false])
    }
    const english = (await textsWith(0)).find(({ lang }) => lang === 'en')
    expect(english?.highlight).toContain('\n\nCustomer service reviews each withdrawal.\n\n')
    expect(english?.highlight).not.toContain('paused')
  })

  it('leaves no text that promises that nothing else is needed', async () => {
    const promises = /nothing else|只看|だけ|뿐|keine weitere|aucune autre|เท่านั้น|chỉ có bốn|hanya punya/i
    for (const { lang, highlight } of await textsWith(24))
      expect([lang, highlight]).toEqual([lang, expect.not.stringMatching(promises)])
  })
})

describe('how long data is kept', () => {
  const privacyOf = async (parts: TemplateParts) => {
    const pages = await readPages(templateContexts(parts))
    return (slug: PageSlug, lang: Language) => pages.get(slug)?.find((text) => text.lang === lang)?.body ?? ''
  }
  /** The figures of a text, but not those with the Japanese counter of things. */
  const figuresOf = (text: string) => (text.match(/\d+(?!つ)/g) ?? []).map(Number)

  it.each(languages)(
    'is told by the one table and the settings, and no figure beside it (%s)',
    async (lang) => {
      const parts = { ...templateParts(), rejectedPhotosKeptDays: 17, closedDataKeptYears: 7 }
      const body = (await privacyOf(parts))('privacy-2', lang).replaceAll(/\(#.*?\)/g, '')
      const {
        sessionUnused,
        session,
        loginHistory,
        messages,
        unusedPictures,
        wrongCodes,
        answers,
        knownDevice,
      } = retention
      const table = [knownDevice, session, sessionUnused, session, loginHistory, messages, unusedPictures]
      const expected = [...table, wrongCodes, answers].map(({ count }) => count)
      expect(figuresOf(body).toSorted((a, b) => a - b)).toEqual(
        [...expected, 17, 7].toSorted((a, b) => a - b),
      )
    },
  )

  it.each(languages)('is told on pages of the same parts (%s)', async (lang) => {
    const body = await privacyOf(templateParts())
    expect(body('privacy', lang)).toContain('Argon2id')
    expect(body('privacy-2', lang)).toContain('(#/pages/own-data/own-data)')
    const partsOf = (text: string) => [text.match(/^## /gm)?.length, text.match(/^- /gm)?.length]
    expect([partsOf(body('privacy', lang)), partsOf(body('privacy-2', lang))]).toEqual([
      [5, 16],
      [5, 14],
    ])
  })

  it.each(languages)('looser limits wait as long as the risk warning says (%s)', async (lang) => {
    expect((await privacyOf(templateParts()))('risk', lang)).toContain(
      new Intl.NumberFormat('en').format(looseningDelayMs / hourMs),
    )
  })
})

it('all pages have one version and one date, in all languages', async () => {
  const pages = [...(await readPages(templateContexts(templateParts()))).values()].flat()
  expect(new Set(pages.map(({ version, publishedAt }) => `${version} ${publishedAt}`)).size).toBe(1)
})

it('pages are served in the requested language, or the default', async () => {
  for (const slug of pageSlugs) {
    expect(await get<Article>(`/pages/${slug}?lang=de`)).toMatchObject({ id: slug, lang: 'de' })
    expect(await get<Article>(`/pages/${slug}`)).toMatchObject({ lang: 'zh-CN' })
  }
  expect((await call(venue.app, 'GET', '/pages/other')).status).toBe(404)
  expect((await call(venue.app, 'GET', '/pages/about?lang=xx')).status).toBe(400)
})

it('practice mode inserts seed news and highlights once, live mode none', async () => {
  const news = await get<List>('/news?lang=ja')
  expect(news.items.map(({ id, lang }) => [id, lang])).toEqual([
    ['open-for-practice', 'ja'],
    ['fund-first-transfer', 'ja'],
  ])
  const highlights = await get<List>('/highlights?lang=en')
  expect(highlights.items.map(({ id }) => id)).toEqual(['proofs', 'withdrawals'])
  expect(await get<Article>('/highlights/proofs?lang=fr')).toMatchObject({ id: 'proofs', lang: 'fr' })
  expect((await call(venue.app, 'GET', '/news/proofs')).status).toBe(404)

  await readBuildAgain()
  expect(await get<List>('/news?lang=ja')).toEqual(news)
  await readBuildAgain('Upstick')
  expect((await get<Article>('/news/open-for-practice?lang=en')).title).toBe('Upstick is open for practice')
  expect((await get<Article>('/news/open-for-practice?lang=en')).version).toBe(2)

  const live = await withVenue({ live: true })
  expect((await call(live.app, 'GET', '/news')).body).toEqual({ items: [], nextCursor: null })
})

it('publish adds and replaces languages of an article', async () => {
  const first = await venue.content.versions.publish(
    'news',
    '---\nid: maintenance\nlang: en\ntitle: "Maintenance: Sunday"\n---\n\nFrom **02:00**.\n',
    'mei',
  )
  expect(first).toMatchObject({ id: 'maintenance', title: 'Maintenance: Sunday', version: 1 })
  expect(await get<Article>('/news/maintenance?lang=th')).toMatchObject({
    lang: 'en',
    body: 'From **02:00**.',
  })
  await venue.content.versions.publish(
    'news',
    '---\nid: maintenance\nlang: zh-CN\ntitle: 维护\n---\n周日',
    'mei',
  )
  expect(await get<Article>('/news/maintenance?lang=zh-TW')).toMatchObject({ lang: 'zh-CN', version: 2 })
  const unnamed = await venue.content.versions.publish(
    'highlight',
    '---\nlang: en\ntitle: New\n---\nText',
    'mei',
  )
  expect((await get<List>('/highlights?limit=1&lang=en')).items[0]).toEqual(unnamed)
  const { items } = await venue.actLog.list({ limit: 3 })
  expect(items.map(({ actor, act, subject }) => [actor, act, subject.kind])).toEqual([
    ['mei', 'publish', 'highlight'],
    ['mei', 'publish', 'news'],
    ['mei', 'publish', 'news'],
  ])
  await expect(
    venue.content.versions.publish('highlight', '---\nid: maintenance\nlang: en\ntitle: X\n---\nText', 'mei'),
  ).rejects.toMatchObject({ code: 'CONFLICT' })
  // A build does not replace articles that the office published.
  await venue.content.versions.publish(
    'highlight',
    '---\nid: proofs\nlang: en\ntitle: Ours\n---\nText',
    'mei',
  )
  await readBuildAgain('Again')
  expect((await get<Article>('/highlights/proofs?lang=en')).title).toBe('Ours')
})

const written = (id: string, lang: string, title: string, body: string) =>
  `---\nid: ${id}\nlang: ${lang}\ntitle: ${title}\n---\n${body}`
const { versions } = venue.content
const numbersOf = async (kind: 'news' | 'highlight' | 'page', id: string) =>
  (await versions.list(kind, id, { limit: 50 })).items.map(({ version, author }) => [version, author])

it('each publish is a version that stays; an old one is published again as the next', async () => {
  await versions.publish('news', written('hours', 'en', 'Hours', 'From nine'), 'mei')
  await venue.clock.advance(1000)
  await versions.publish('news', written('hours', 'de', 'Zeiten', 'Ab neun'), 'lan')
  await venue.clock.advance(1000)
  await versions.publish('news', written('hours', 'en', 'Hours', 'From ten'), 'mei')
  expect(await versions.list('news', 'hours', { limit: 2 })).toMatchObject({
    items: [
      { version: 3, author: 'mei', changed: ['en'] },
      { version: 2, author: 'lan', changed: ['de'] },
    ],
    nextCursor: expect.any(String),
  })
  expect((await versions.show('news', 'hours', 1)).texts).toMatchObject([{ lang: 'en', body: 'From nine' }])

  await venue.clock.advance(1000)
  expect(await versions.publishAgain('news', 'hours', 1, 'lan')).toMatchObject({ version: 4, author: 'lan' })
  // It has the languages of version 1, so that a reader of German gets English.
  expect(await get<Article>('/news/hours?lang=de')).toMatchObject({
    lang: 'en',
    body: 'From nine',
    version: 4,
  })
  expect((await venue.actLog.list({ limit: 1 })).items).toMatchObject([
    {
      actor: 'lan',
      act: 'publish',
      subject: { kind: 'news', id: 'hours' },
      details: { from: 1, version: 4 },
    },
  ])
  await expect(versions.publishAgain('news', 'hours', 1, 'lan')).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(versions.publishAgain('news', 'hours', 9, 'lan')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(versions.publishAgain('highlight', 'hours', 1, 'lan')).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await expect(versions.show('news', 'hours', 9)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(versions.list('news', 'none', { limit: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await numbersOf('news', 'hours')).toEqual([
    [4, 'lan'],
    [3, 'mei'],
    [2, 'lan'],
    [1, 'mei'],
  ])
})

it('the database rejects changes of a version', async () => {
  for (const change of [`UPDATE content_version SET author = 'x'`, 'DELETE FROM content_version'])
    await expect(venue.database.pool.query(change)).rejects.toThrow('never changed')
  await expect(venue.database.pool.query('TRUNCATE content_version')).rejects.toThrow('never changed')
})

it('publishers of one article at once each get a version', async () => {
  const bodies = Array.from({ length: 5 }, (_, i) => `Text ${i}`)
  await Promise.all(
    bodies.map((body) => versions.publish('news', written('at-once', 'en', 'A', body), 'mei')),
  )
  expect((await numbersOf('news', 'at-once')).map(([version]) => version)).toEqual([5, 4, 3, 2, 1])
})

it('a page of the office replaces that of the build, language by language', async () => {
  const before = await get<Article>('/pages/risk?lang=de')
  const [built] = (await versions.list('page', 'risk', { limit: 5 })).items
  expect(built).toMatchObject({ version: before.version, author: null, at: before.publishedAt })
  expect((await versions.show('page', 'risk', 1)).texts.map(({ lang }) => lang)).toHaveLength(
    languages.length,
  )

  await venue.clock.advance(1000)
  const published = await versions.publish('page', written('risk', 'de', 'Risiko', 'Neu'), 'mei')
  expect(published).toMatchObject({ id: 'risk', body: 'Neu', version: 2, publishedAt: venue.clock.now() })
  expect(await get<Article>('/pages/risk?lang=de')).toEqual(published)
  // The other languages keep their text and the day it was last changed.
  expect(await get<Article>('/pages/risk?lang=fr')).toMatchObject({
    lang: 'fr',
    publishedAt: before.publishedAt,
  })
  expect(await (await readBuildAgain()).page('risk', 'de')).toEqual(published)
  expect(await numbersOf('page', 'risk')).toEqual([
    [2, 'mei'],
    [1, null],
  ])

  await venue.clock.advance(1000)
  await versions.publishAgain('page', 'risk', 1, 'mei')
  expect(await get<Article>('/pages/risk?lang=de')).toMatchObject({ body: before.body, version: 3 })
  await expect(versions.publish('page', written('other', 'de', 'X', 'Y'), 'mei')).rejects.toMatchObject({
    code: 'VALIDATION',
    fields: { id: 'INVALID' },
  })
  // The id of a page is not free for news: both are articles.
  await expect(versions.publish('news', written('about', 'de', 'X', 'Y'), 'mei')).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

it('a cursor continues at the same place while articles are added', async () => {
  const first = await get<List>('/news?limit=1')
  await venue.content.versions.publish('news', '---\nlang: en\ntitle: Newer\n---\nText', 'mei')
  const second = await get<List>(`/news?limit=50&cursor=${first.nextCursor}`)
  expect(second.items.map(({ id }) => id)).not.toContain(first.items[0]?.id)
  expect(second.items.at(-1)?.id).toBe('fund-first-transfer')
  expect(second.nextCursor).toBeNull()
})

it.each([
  ['no front matter', 'Text', { file: 'INVALID' }],
  ['no end of the front matter', '---\nlang: en\ntitle: X\nText', { file: 'INVALID' }],
  ['an unknown language', '---\nlang: xx\ntitle: X\n---\nText', { lang: 'INVALID' }],
  ['no title', '---\nlang: en\n---\nText', { title: 'INVALID' }],
  ['an id with a path', '---\nid: ../x\nlang: en\ntitle: X\n---\nText', { id: 'INVALID' }],
  ['an unknown name', '---\nlang: en\ntitle: X\nauthor: me\n---\nText', { file: 'INVALID' }],
  ['no body', '---\nlang: en\ntitle: X\n---\n\n', { body: 'REQUIRED' }],
  ['a body that is too long', `---\nlang: en\ntitle: X\n---\n${'a'.repeat(20_001)}`, { body: 'TOO_LONG' }],
])('rejects a file with %s', (_what, text, fields) => {
  expect(() => parseDocument(text)).toThrow(expect.objectContaining({ code: 'VALIDATION', fields }))
})

it('parses a file with a BOM and CRLF', () => {
  const parsed = parseDocument('\uFEFF---\r\nlang: en\r\ntitle: X\r\n---\r\nOne\r\n')
  expect(parsed).toEqual({ lang: 'en', title: 'X', body: 'One' })
})

it('renderTemplate resolves values and blocks, and throws for unknown names', () => {
  const values = { a: 'A' }
  expect(renderTemplate('{{a}}', { values, conditions: {} })).toBe('A')
  expect(() => renderTemplate('{{b}}', { values, conditions: {} })).toThrow('b')
  expect(() => renderTemplate('{{#c}}x{{/c}}', { values, conditions: {} })).toThrow('c')
  expect(
    renderTemplate('1{{#c}} 2{{/c}}\n{{#c}}\n- 3\n{{/c}}\n4', { values, conditions: { c: false } }),
  ).toBe('1\n4')
  expect(renderTemplate('1{{#c}} 2{{/c}}\n{{#c}}\n- 3\n{{/c}}\n4', { values, conditions: { c: true } })).toBe(
    '1 2\n- 3\n4',
  )
})

it.each([
  ['ja', ['en', 'ja'], 'ja'],
  ['ja', ['en', 'zh-CN'], 'en'],
  ['zh-TW', ['en', 'zh-CN'], 'zh-CN'],
  ['fr', ['ko', 'zh-CN'], 'zh-CN'],
  ['fr', ['ko'], 'ko'],
  [undefined, ['en', 'zh-CN'], 'zh-CN'],
  ['fr', [], undefined],
] as const)('languageFor %s among %j is %s', (requested, available, expected) => {
  expect(languageFor(requested, (lang) => (available as readonly string[]).includes(lang))).toBe(expected)
})

it('reports client errors at a limited rate', async () => {
  const warnings: string[] = []
  venue.app.log.warn = (line: unknown) => void warnings.push(String(line))
  const report = (body: unknown) => call(venue.app, 'POST', '/client-errors', { body })
  expect((await report({ kind: 'timeout', resource: '/assets/x.js', build: 'b1' })).status).toBe(204)
  expect((await report({ kind: 'bored', resource: 'x', build: 'b1' })).status).toBe(400)
  const entry = (kind: string, more: number): string =>
    `a client could not load a resource: ${kind}; ${more} more since the last entry`
  expect(warnings).toEqual([entry('timeout', 0)])
  for (let i = 0; i < 30; i++) await report({ kind: 'missing', resource: '/a.js', build: 'b1' })
  expect(warnings).toHaveLength(10)
  await venue.clock.advance(6000)
  await report({ kind: 'other', resource: '/a.js', build: 'b1' })
  expect(warnings.at(-1)).toBe(entry('other', 21))
})
