import type { ChartTheme } from './types.ts'

const names = {
  ground: '--bg',
  text: '--text',
  text2: '--text2',
  text3: '--text3',
  line: '--line',
  hair: '--hair',
  faint: '--faint',
  fill: '--fill',
  up: '--up',
  down: '--down',
  accent: '--accent-text',
} as const
const seriesNames = ['--series1', '--series2', '--series3'] as const

/** Reads the page's colours at a node, because a canvas cannot use custom properties. */
export function readTheme(node: Element): ChartTheme {
  const style = getComputedStyle(node)
  const read = (name: string) => style.getPropertyValue(name).trim() || '#808898'
  return {
    ground: read(names.ground),
    text: read(names.text),
    text2: read(names.text2),
    text3: read(names.text3),
    line: read(names.line),
    hair: read(names.hair),
    faint: read(names.faint),
    fill: read(names.fill),
    up: read(names.up),
    down: read(names.down),
    accent: read(names.accent),
    series: seriesNames.map(read),
    font: style.fontFamily || 'sans-serif',
  }
}

/** Calls `onChange` when the member changes theme, colours of up and down, or language. */
export function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-conv', 'lang'],
  })
  return () => observer.disconnect()
}
