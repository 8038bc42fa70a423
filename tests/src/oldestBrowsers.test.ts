import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newerFeatures } from '../../scripts/newerFeatures.ts'
import { oldestBrowsers } from '../../scripts/oldestBrowsers.ts'

describe('the oldest browsers', () => {
  it.each([
    ['a.js', 'const a=[2,1].toSorted()', 'array copies'],
    ['a.js', 'class A{static{a()}}', 'syntax'],
    ['a.js', 'const a=/[a--b]/v', 'syntax'],
    ['a.js', 'const a=RegExp(`(?<=a)b`)', 'lookbehind'],
    ['a.js', 'for(const a of b.values().map(c))d(a)', 'iterator helpers'],
    ['a.css', '.a{color:red;&:hover{color:blue}}', 'nesting'],
    ['a.css', '.a{color:oklch(40% 0.2 20)}', 'colour functions'],
    ['a.css', '.a{height:2lh}', 'line units'],
  ])('fail the build over %s with %s', async (file, source, name) => {
    expect(await newerFeatures(file, source)).toContain(name)
  })

  it.each([
    ['a.js', 'const a=b?.c??d;a.findLast(e);new Map().values().next();x=class{#a=1}'],
    ['a.css', '.a{height:100dvh;color:color-mix(in srgb,red 5%,blue)}@container b (width>=2rem){.a{top:0}}'],
  ])('accept %s with %s', async (file, source) => {
    expect(await newerFeatures(file, source)).toEqual([])
  })

  it('are named in the README and asked for by what sends older ones away', () => {
    const { chrome, firefox, safari } = oldestBrowsers
    const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    expect(read('README.md')).toContain(`Chrome ${chrome}, Firefox ${firefox}, Safari ${safari}`)
    for (const page of ['index.html', 'office/index.html']) {
      expect(read(page)).toMatch(/<script src="\/oldBrowser\.js" async( vite-ignore)?><\/script>/)
    }
  })

  it('are too new for nothing that sends the older ones away: it is ES5', () => {
    const source = readFileSync(new URL('../../public/oldBrowser.js', import.meta.url), 'utf8')
    expect(source.match(/=>|`|\b(const|let|class|async|await|import)\b|\?\.|\?\?|\.\.\./g)).toBeNull()
  })
})
