// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { changeLanguage } from '../../../src/text/i18n.ts'
import { ArticlePage } from '../../../src/pages/content/ArticlePage.tsx'
import { News } from '../../../src/pages/content/Articles.tsx'
import { Privacy } from '../../../src/pages/content/StaticPages.tsx'
import { flushAnswers } from '../../support/flushAnswers.ts'
import { openPage } from '../../support/openPage.tsx'
import { createTestClient, errorBody } from '../../support/testClient.ts'
import { click, one } from '../ui/mount.tsx'

const articleOf = (id: string, lang: string, title = `${id} in ${lang}`) => ({
  id,
  title,
  body: `The text of **${id}**.`,
  lang,
  publishedAt: 1_767_600_000_000,
  version: 1,
})

const { answers, requests, call } = createTestClient()
const requestedPaths = () => requests.map(({ path }) => path)

beforeEach(async () => {
  answers.clear()
  requests.length = 0
  await changeLanguage('en')
})

const open = (page: React.ReactNode, hash = '#/pages/index/detail?id=x') => openPage(page, { hash, call })
const text = (): string => document.body.textContent

describe('ArticlePage', () => {
  it('requests the id as a news item', async () => {
    answers.set('/news/x?lang=en', [200, articleOf('x', 'en')])
    await open(<ArticlePage />)
    expect(one('h1').textContent).toBe('News')
    expect(one('h2').textContent).toBe('x in en')
    expect(one('strong').textContent).toBe('x')
    expect(requestedPaths()).toEqual(['/news/x?lang=en'])
  })

  it('requests the id as a highlight if it is not a news item', async () => {
    answers.set('/highlights/x?lang=en', [200, articleOf('x', 'en')])
    await open(<ArticlePage />)
    await flushAnswers()
    expect(one('h1').textContent).toBe('Highlight')
    expect(requestedPaths()).toEqual(['/news/x?lang=en', '/highlights/x?lang=en'])
  })

  it('requests the kind in the address first', async () => {
    answers.set('/highlights/x?lang=en', [200, articleOf('x', 'en')])
    await open(<ArticlePage />, '#/pages/index/detail?id=x&kind=highlight')
    expect(requestedPaths()).toEqual(['/highlights/x?lang=en'])
  })

  it('links to the news if the item does not exist', async () => {
    await open(<ArticlePage />)
    await flushAnswers()
    expect(text()).toContain('We couldn’t find this')
    expect(one('main a').getAttribute('href')).toBe('#/pages/news/news')
  })

  it('reloads the item after a change of language', async () => {
    answers.set('/news/x?lang=en', [200, articleOf('x', 'en')])
    answers.set('/news/x?lang=zh-CN', [200, articleOf('x', 'zh-CN', '中文标题')])
    await open(<ArticlePage />)
    await act(() => changeLanguage('zh-CN'))
    await flushAnswers()
    expect(one('h2').textContent).toBe('中文标题')
    expect(text()).not.toContain('暂无您所选语言')
  })

  it('marks an item in another language and sets its lang attribute', async () => {
    answers.set('/news/x?lang=en', [200, articleOf('x', 'de')])
    await open(<ArticlePage />)
    expect(text()).toContain('Not available in your language yet. Showing German.')
    expect(one('h2').lang).toBe('de')
  })
})

describe('Privacy', () => {
  it('shows a failure and loads on retry', async () => {
    answers.set('/pages/privacy?lang=en', [503, errorBody('UNAVAILABLE')])
    await open(<Privacy />)
    expect(one('[role=alert]').textContent).toContain('temporarily unavailable')
    answers.set('/pages/privacy?lang=en', [200, articleOf('privacy', 'en')])
    await click(one('[role=alert] button'))
    await flushAnswers()
    expect(one('h1').textContent).toBe('Privacy policy')
    expect(text()).toContain('Updated 5 Jan 2026')
    expect(one('nav a').getAttribute('href')).toBe('#/pages/yinsi/gy')
  })
})

describe('News', () => {
  it('loads the next page on request', async () => {
    answers.set('/news?lang=en&limit=20', [200, { items: [articleOf('b', 'en')], nextCursor: 'c1' }])
    const older = { items: [articleOf('a', 'en')], nextCursor: null }
    answers.set('/news?lang=en&limit=20&cursor=c1', [200, older])
    await open(<News />)
    await click(one('main button'))
    await flushAnswers()
    const links = [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))
    expect(links).toEqual(['#/pages/index/detail?id=b', '#/pages/index/detail?id=a'])
    expect(document.querySelector('main button')).toBeNull()
  })

  it('shows an empty state', async () => {
    answers.set('/news?lang=en&limit=20', [200, { items: [], nextCursor: null }])
    await open(<News />)
    expect(text()).toContain('No news yet')
  })
})
