// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { ContentVersion } from '../../../../contract/office/contentAdmin.ts'
import { pageSlugs } from '../../../../contract/content.ts'
import {
  alerts,
  buttons,
  click,
  dialog,
  enter,
  field,
  goTo,
  lost,
  minutesAgo,
  openOffice,
  openRow,
  press,
  refused,
  rows,
  settle,
  text,
  toasts,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

const article = {
  id: 'n1',
  title: 'New products',
  body: 'Twelve **new** products.',
  lang: 'en' as const,
  publishedAt: minutesAgo(60),
  version: 2,
}
const version: ContentVersion = { version: 2, at: minutesAgo(60), author: 'wang', changed: ['en'] }
const first: ContentVersion = {
  version: 1,
  at: minutesAgo(120),
  author: null,
  changed: ['en' as const, 'zh-CN' as const],
}
const list = <T,>(...items: T[]) => ({ items, nextCursor: null })
const usual: OfficeAnswers = {
  'content.news': list(article),
  'content.newsItem': ({ query }) => ({ ...article, lang: query.lang === 'de' ? 'en' : 'en' }),
  'news.versions': list(version, first),
  'news.version': {
    ...version,
    texts: (['en', 'de', 'zh-CN'] as const).map((lang) => ({ ...article, lang, changedAt: minutesAgo(60) })),
  },
}
const open = (answers: OfficeAnswers = {}) =>
  openOffice('/articles', { ...usual, ...answers }, { role: 'content' })
/** The button, and once more in the dialog. */
const publish = async (): Promise<void> => {
  await click('Publish')
  await click('Publish')
}
const preview = (): string => text('section[aria-label=Preview]')
const offline = 'You’re offline. Check your connection and try again.'

describe('the list', () => {
  it('shows the articles of a kind', async () => {
    const desk = await open({
      'content.highlights': list({ ...article, id: 'h1', title: 'A good week' }),
      'content.page': ({ params }) => ({ ...article, id: params.slug, title: `Page ${params.slug}` }),
    })
    expect(rows('News and pages')).toEqual(['New products | 24 Nov 2026, 11:00:00'])
    await enter('Kind', 'Highlights')
    expect(rows('News and pages')).toEqual(['A good week | 24 Nov 2026, 11:00:00'])
    await enter('Kind', 'Static pages')
    expect(rows('News and pages')).toHaveLength(pageSlugs.length)
    expect(buttons()).not.toContain('New')
    expect(desk.sent('content.news')[0]?.query['lang']).toBe('en')
  })

  it.each([
    ['is empty', list<typeof article>(), 'Nothing here.', []],
    ['cannot be read', lost, '', [offline]],
  ])('says so if it %s', async (_, answer, empty, said) => {
    await open({ 'content.news': answer })
    await settle(3000)
    expect(text('main').includes('Nothing here.')).toBe(empty !== '')
    expect(alerts()).toEqual(said)
  })
})

describe('an article', () => {
  it('is shown as members see it, and published with its id', async () => {
    const desk = await open({ 'news.publish': { ...article, version: 3 } })
    await openRow('News and pages')
    expect(field('Title').value).toBe('New products')
    expect(preview()).toContain('Twelve new products.')
    await enter('Text (Markdown)', 'Thirteen.')
    expect(preview()).toContain('Thirteen.')
    await publish()
    const written = '---\nid: n1\nlang: en\ntitle: New products\n---\nThirteen.\n'
    expect(desk.acts()).toEqual([['news.publish', { file: written }]])
    expect(toasts()).toEqual(['Published.'])
  })

  it('says what becomes public, in which language, and which others differ from it then', async () => {
    const desk = await open()
    await openRow('News and pages')
    await enter('Text (Markdown)', 'Thirteen.')
    await click('Publish')
    const said = text('[role=dialog]')
    expect(said).toContain('TitleNew products')
    expect(said).toContain('LanguageEnglish')
    expect(said).toContain('It replaces the text in this language for all members at once.')
    expect(said).toContain('These languages keep their text, and now differ from it: Deutsch and 简体中文.')
    await click('Back')
    expect(desk.acts()).toEqual([])
  })

  it('is not published again if nothing has changed', async () => {
    const desk = await open()
    await openRow('News and pages')
    await click('Publish')
    expect(dialog()).toBeNull()
    expect(alerts()).toEqual(['Nothing has changed.'])
    expect(desk.acts()).toEqual([])
  })

  it('has no text yet in another language, whose readers see that of English', async () => {
    await open()
    await openRow('News and pages')
    await enter('Language', 'Deutsch')
    expect(field('Text (Markdown)').value).toBe('')
    expect(preview()).toContain('Englisch')
    expect(preview()).toContain('Twelve new products.')
  })

  it.each([
    ['the network is lost', lost, [offline]],
    ['the role lost the call', refused(403, 'FORBIDDEN'), ['Your role doesn’t allow this.']],
    ['the title is refused', refused(400, 'VALIDATION', { fields: { title: 'TOO_LONG' } }), []],
  ])('keeps what was written if %s', async (_, answer, said) => {
    await open({ 'news.publish': answer })
    await openRow('News and pages')
    await enter('Text (Markdown)', 'Thirteen.')
    await publish()
    await settle(300)
    expect(alerts()).toEqual(said)
    expect(field('Title').getAttribute('aria-invalid')).toBe(said.length === 0 ? 'true' : null)
    expect(field('Text (Markdown)').value).toBe('Thirteen.')
  })

  it('keeps what was written if a colleague publishes it meanwhile', async () => {
    const desk = await open()
    await openRow('News and pages')
    await enter('Text (Markdown)', 'Thirteen.')
    desk.answers['content.news'] = list({ ...article, version: 3 })
    desk.answers['content.newsItem'] = { ...article, version: 3, body: 'Another text.' }
    await settle(3000)
    window.dispatchEvent(new Event('visibilitychange'))
    await settle(100)
    expect(field('Text (Markdown)').value).toBe('Thirteen.')
    expect(text('main')).toContain('A newer text has been published since you began.')
  })

  it('that cannot be read says why', async () => {
    await open({ 'content.newsItem': lost })
    await openRow('News and pages')
    await settle(3000)
    expect(alerts()).toEqual([offline])
    expect(buttons()).not.toContain('Publish')
  })
})

describe('a new article', () => {
  it('gets its id when it is first published, and is changed from then on', async () => {
    const created = { ...article, id: 'n2', title: 'Holidays', body: 'Closed.', version: 1 }
    const desk = await open({ 'news.publish': created, 'content.newsItem': created })
    await press('+')
    await enter('Title', 'Holidays')
    await enter('Text (Markdown)', 'Closed.')
    desk.answers['content.news'] = list(created, article)
    await publish()
    await settle(100)
    await enter('Text (Markdown)', 'Closed until Monday.')
    await publish()
    expect(desk.acts()).toEqual([
      ['news.publish', { file: '---\nlang: en\ntitle: Holidays\n---\nClosed.\n' }],
      ['news.publish', { file: '---\nid: n2\nlang: en\ntitle: Holidays\n---\nClosed until Monday.\n' }],
    ])
  })

  it('keeps what was written when its language is chosen last', async () => {
    await open()
    await press('+')
    await enter('Text (Markdown)', 'Geschlossen.')
    await enter('Language', 'Deutsch')
    expect(field('Text (Markdown)').value).toBe('Geschlossen.')
  })

  it('is open again with what was written, until it is published', async () => {
    const created = { ...article, id: 'n2', title: 'Holidays', version: 1 }
    await open({ 'news.publish': created, 'content.newsItem': created, 'session.factors': lost })
    await press('+')
    await enter('Title', 'Office hours')
    await enter('Text (Markdown)', 'Every day.')
    const away = async () => {
      await goTo('/account')
      await goTo('/articles')
    }
    await away()
    expect(field('Title').value).toBe('Office hours')
    expect(field('Text (Markdown)').value).toBe('Every day.')
    await publish()
    await away()
    expect(buttons()).not.toContain('Publish')
  })

  it('is closed without a trace', async () => {
    const desk = await open()
    await click('New')
    await click('Close')
    expect(buttons()).not.toContain('Publish')
    expect(desk.acts()).toEqual([])
  })
})

describe('a standing page', () => {
  it('keeps its title and is published under its name', async () => {
    const page = { ...article, id: 'risk', title: 'Risk', body: 'Trading is risky.' }
    const desk = await open({
      'content.page': ({ params }) => ({ ...page, id: params.slug }),
      'pages.versions': list(version),
      'pages.version': { ...version, texts: [] },
      'pages.publish': page,
    })
    await enter('Kind', 'Static pages')
    await openRow('News and pages', pageSlugs.indexOf('risk'))
    expect(() => field('Title')).toThrow()
    await enter('Text (Markdown)', 'Trading can lose money.')
    await publish()
    expect(desk.acts()).toEqual([
      ['pages.publish', { file: '---\nid: risk\nlang: en\ntitle: Risk\n---\nTrading can lose money.\n' }],
    ])
  })
})

describe('the versions', () => {
  const texts = [{ lang: 'en' as const, title: 'Old title', body: 'Old text.', changedAt: minutesAgo(120) }]

  it('name their authors and languages, and an earlier one is published again', async () => {
    const desk = await open({
      'news.version': { ...first, texts },
      'news.republish': { ...first, version: 3 },
    })
    await openRow('News and pages')
    expect(rows('Versions')).toEqual([
      '2 | 24 Nov 2026, 11:00:00 | wang | English',
      '1 | 24 Nov 2026, 10:00:00 | From the build | English, 简体中文',
    ])
    await openRow('Versions', 1)
    expect(text('section[aria-label="Preview 1"]')).toContain('Old text.')
    await press('p')
    expect(dialog()).toBe('Publish again')
    await press('Enter')
    expect(desk.acts()).toEqual([['news.republish', 'n1', '1']])
    expect(toasts()).toEqual(['Published as a new version. Undo'])
  })

  it('the one that members see is not published again', async () => {
    await open({ 'news.version': { ...version, texts } })
    await openRow('News and pages')
    await openRow('Versions')
    expect(text('main')).toContain('Members see this version.')
    expect(buttons()).not.toContain('Publish again')
  })

  it.each([
    [{ 'news.versions': lost }, false],
    [{ 'news.version': lost }, true],
  ])('that cannot be read say why', async (answers, opens) => {
    await open(answers)
    await openRow('News and pages')
    if (opens) await openRow('Versions')
    await settle(3000)
    expect(alerts()).toEqual([offline])
  })
})
