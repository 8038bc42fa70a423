// @vitest-environment happy-dom
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Markdown } from '../../../src/markdown/Markdown.tsx'
import { excerpt, plainText } from '../../../src/markdown/plainText.ts'
import { mount, one } from '../ui/mount.tsx'
import { fc } from '../../support/fastCheck.ts'

const html = async (source: string): Promise<string> => {
  const { container } = await mount(<Markdown source={source} />)
  return container.firstElementChild?.innerHTML ?? ''
}

describe('Markdown', () => {
  it.each([
    ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    ['## Head ##\ntext', '<h2>Head</h2><p>text</p>'],
    ['# Top', '<h2>Top</h2>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['Intro:\n- a', '<p>Intro:</p><ul><li>a</li></ul>'],
    ['- a\n  - b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['- a\n  goes on\nand on', '<ul><li>a\ngoes on\nand on</li></ul>'],
    ['- a\n\n  more\n\nafter', '<ul><li>a<p>more</p></li></ul><p>after</p>'],
    ['3. x\n4. y', '<ol start="3"><li>x</li><li>y</li></ol>'],
    ['- a\n1. b', '<ul><li>a</li></ul><ol start="1"><li>b</li></ol>'],
    ['> said\n> so', '<blockquote><p>said\nso</p></blockquote>'],
    ['a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
    ['```\n<b>\n- x\n```\nend', '<pre><code>&lt;b&gt;\n- x</code></pre><p>end</p>'],
    ['```\nopen', '<pre><code>open</code></pre>'],
    ['**a** *b* _c_ `d*`', '<p><strong>a</strong> <em>b</em> <em>c</em> <code>d*</code></p>'],
    ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
    ['**重要。**请看', '<p><strong>重要。</strong>请看</p>'],
    ['snake_case_name 2 * 3 * 4', '<p>snake_case_name 2 * 3 * 4</p>'],
    [String.raw`\*not\*`, '<p>*not*</p>'],
    ['a  \nb', '<p>a<br>b</p>'],
    ['[here](#/pages/service/service)', '<p><a href="#/pages/service/service">here</a></p>'],
    [
      '[out](https://example.com/a_(b)) <http://x.example/>',
      '<p><a href="https://example.com/a_(b)" target="_blank" rel="noopener noreferrer">out</a> ' +
        '<a href="http://x.example/" target="_blank" rel="noopener noreferrer">http://x.example/</a></p>',
    ],
    ['![words](https://example.com/p.png)', '<p>words</p>'],
  ])('renders %j', async (source, expected) => {
    expect(await html(source)).toBe(expected)
  })

  const table = (label: string, inside: string): string =>
    expect.stringMatching(
      new RegExp(
        `^<div class="[^"]*" role="region" aria-label="${label}" tabindex="0"><table>${inside}</table></div>$`,
      ),
    ) as string

  it.each([
    [
      '| Day | Rate |\n| :-- | --: |\n| Mon | **1** |\n| Tue |',
      table(
        'Day, Rate',
        '<thead><tr><th scope="col" data-align="left">Day</th><th scope="col" data-align="right">Rate</th></tr></thead>' +
          '<tbody><tr><td data-align="left">Mon</td><td data-align="right"><strong>1</strong></td></tr>' +
          '<tr><td data-align="left">Tue</td><td data-align="right"></td></tr></tbody>',
      ),
    ],
    [
      'a | b\n:-: | -',
      table(
        'a, b',
        '<thead><tr><th scope="col" data-align="center">a</th><th scope="col">b</th></tr></thead>',
      ),
    ],
    [
      String.raw`| a |` + '\n| - |\n' + String.raw`| x \| y | over |`,
      table(
        'a',
        '<thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>x \\| y \\| over</td></tr></tbody>',
      ),
    ],
  ])('renders the table %j', async (source, expected) => {
    expect(await html(source)).toEqual(expected)
  })

  it.each([
    ['Rates:\n| a |\n|---|\n| 1 |\n\nafter', ['P', 'DIV', 'P']],
    ['| a |\n|---|\n| 1 |\n- item', ['DIV', 'UL']],
    ['| a | b |\n|---|', ['P']],
    ['a | b\nc | d', ['P']],
  ])('finds the beginning and end of the table in %j', async (source, tags) => {
    const { container } = await mount(<Markdown source={source} />)
    expect([...(container.firstElementChild?.children ?? [])].map(({ tagName }) => tagName)).toEqual(tags)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert%281%29)',
    '[x]( data:text/html,<script>alert(1)</script>)',
    '<javascript:alert(1)>',
    '[x](//example.com)',
    '[x](/api/auth/logout)',
    '[x](#"onclick="alert(1))',
  ])('renders no script and no unsafe link for %j', async (source) => {
    await html(source)
    expect(document.querySelectorAll('script, img, a, [onclick], [onerror]')).toHaveLength(0)
  })

  it('keeps all text and links only to websites and pages, for any source', async () => {
    const signs = '* ** _ ` ``` [ ]( ) - 1. # | |-| > \\ < javascript: https://a.example word 词 ! --- ~~~'
    const piece = fc.constantFrom(...signs.split(' '), '\n', '\n\n', '  ', '- ', '> ')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const source = pieces.join('')
        const { container } = await mount(<Markdown source={source} />)
        for (const link of container.querySelectorAll('a')) {
          expect(link.getAttribute('href')).toMatch(/^(https?:\/\/|#\/)/)
        }
        // Only the address of a link is not shown.
        const words = (text: string): number => text.split('词').length
        if (!source.includes('](')) expect(words(container.textContent)).toBe(words(source))
        container.remove()
      }),
      { numRuns: 300 },
    )
  })

  it('starts its headings at the level `top`', async () => {
    await mount(<Markdown source={'## a\n### b'} top={3} />)
    expect(one('h3').textContent).toBe('a')
    expect(one('h4').textContent).toBe('b')
  })

  it('renders all seed texts without leftover markup', async () => {
    const seeds = join(import.meta.dirname, '../../../server/office/content/seed')
    for (const kind of readdirSync(seeds)) {
      for (const name of readdirSync(join(seeds, kind))) {
        const text = readFileSync(join(seeds, kind, name), 'utf8').replace(/^---[\s\S]*?\n---\n/, '')
        const { container } = await mount(<Markdown source={text.replace(/^\{\{[#/]\w+\}\}$/gm, '')} />)
        expect([name, container.textContent?.match(/\*\*|^#+ |^- /m)]).toEqual([name, null])
        container.remove()
      }
    }
  })
})

describe('plainText', () => {
  it.each([
    ['A **b** [c](https://d.example)\n\n- e\n- f', 'A b c e f'],
    ['## Head\n\n> said `so`', 'Head said so'],
    ['', ''],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['提现需要：\n\n- 余额，\n- 密码。\n\nUptick 开放', '提现需要：余额，密码。 Uptick 开放'],
  ])('of %j is %j', (source, expected) => {
    expect(plainText(source)).toBe(expected)
  })
})

describe('excerpt', () => {
  it.each([
    ['One. Two! Three? Four.', 9, 'One. Two!'],
    ['One sentence that is long. Two.', 5, 'One sentence that is long.'],
    ['Up 1.5 % to No. 3', 4, 'Up 1.5 % to No.'],
    ['## Head\n\nThe **first**\nparagraph.\n\nThe second.', 80, 'The first paragraph.'],
    ['每笔订单都有凭证。您可以核对。', 10, '每笔订单都有凭证。'],
    ['「はい。」次の文。', 6, '「はい。」'],
    ['คำสั่งมีหลักฐาน ราคา\n\nอุปกรณ์', 5, 'คำสั่งมีหลักฐาน ราคา'],
    ['- a\n- b', 80, 'a b'],
    ['', 80, ''],
  ])('of %j in %i characters is %j', (source, most, expected) => {
    expect(excerpt(source, most)).toBe(expected)
  })

  it.each([
    ['words', 'word '.repeat(100), `${'word '.repeat(47)}word…`],
    ['Thai, without spaces', 'ราคา'.repeat(100), `${'ราคา'.repeat(59)}…`],
    ['Chinese', '今天'.repeat(200), `${'今天'.repeat(119)}…`],
    ['one word', 'a'.repeat(300), `${'a'.repeat(239)}…`],
    ['a comma before the cut', `${'a'.repeat(230)}, ${'b'.repeat(30)}.`, `${'a'.repeat(230)}…`],
    ['just enough', `${'a'.repeat(239)}.`, `${'a'.repeat(239)}.`],
  ])('truncates a sentence that is too long between words: %s', (_, source, expected) => {
    expect(excerpt(source)).toBe(expected)
  })

  it('truncates between words without Intl.Segmenter', () => {
    const { Segmenter } = Intl
    Object.assign(Intl, { Segmenter: undefined })
    try {
      expect(excerpt('word '.repeat(100))).toBe(`${'word '.repeat(47)}word…`)
    } finally {
      Object.assign(Intl, { Segmenter })
    }
  })

  it('is at most three lines for the seed texts', () => {
    const seeds = join(import.meta.dirname, '../../../server/office/content/seed/highlights')
    for (const name of readdirSync(seeds)) {
      const text = readFileSync(join(seeds, name), 'utf8').replace(/^---[\s\S]*?\n---\n/, '')
      const lead = excerpt(text)
      expect([name, lead.length < 75, text.includes(`${lead}\n\n`)]).toEqual([name, true, true])
    }
  })
})
