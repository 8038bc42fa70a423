// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { acceptsShortcuts, shortcutOf, type KeyPress } from '../../../../src/pages/product/shortcut.ts'

const press = (parts: Partial<KeyPress>): KeyPress => ({
  key: '',
  code: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  keyCode: 0,
  defaultPrevented: false,
  ...parts,
})
const up = { kind: 'direction', direction: 'up' }
const down = { kind: 'direction', direction: 'down' }

describe('shortcutOf', () => {
  it.each([
    ['u', 'KeyU', up],
    ['U', 'KeyU', up],
    ['d', 'KeyD', down],
    ['1', 'Digit1', { kind: 'duration', index: 0 }],
    ['6', 'Numpad6', { kind: 'duration', index: 5 }],
    ['n', 'KeyN', { kind: 'product', step: 1 }],
    ['P', 'KeyP', { kind: 'product', step: -1 }],
    ['7', 'Digit7', undefined],
    ['0', 'Digit0', undefined],
    ['x', 'KeyX', undefined],
    ['Enter', 'Enter', undefined],
    ['', '', undefined],
  ])('maps the key %s to its shortcut', (key, code, expected) => {
    expect(shortcutOf(press({ key, code }))).toEqual(expected)
  })

  it.each([
    ['a Thai keyboard', 'ี', 'KeyU', up],
    ['a Korean keyboard', 'ㅇ', 'KeyD', down],
    ['a French keyboard', 'é', 'Digit2', { kind: 'duration', index: 1 }],
    // The character of the key counts: on this layout another letter is at the position of U.
    ['a Dvorak keyboard', 'g', 'KeyU', undefined],
    ['a Dvorak keyboard', 'u', 'KeyF', up],
  ])('maps a key of %s by character or by position', (_, key, code, expected) => {
    expect(shortcutOf(press({ key, code }))).toEqual(expected)
  })

  it.each(['altKey', 'ctrlKey', 'metaKey', 'shiftKey', 'repeat', 'isComposing', 'defaultPrevented'] as const)(
    'ignores a key with %s',
    (property) => expect(shortcutOf(press({ key: 'u', code: 'KeyU', [property]: true }))).toBeUndefined(),
  )

  it('ignores a key of an input method as Safari reports it', () => {
    expect(shortcutOf(press({ key: '1', code: 'Digit1', keyCode: 229 }))).toBeUndefined()
  })
})

describe('acceptsShortcuts', () => {
  afterEach(() => document.body.replaceChildren())
  const page = () => {
    document.body.innerHTML =
      '<h1 tabindex="-1"></h1><a href="#x"></a><section><button></button><input><input type="radio"></section>'
    return (selector: string) => {
      const element = document.querySelector(selector)
      if (element === null) throw new Error(selector)
      return element
    }
  }

  it.each([
    ['body', true],
    ['h1', true],
    ['button', true],
    ['input[type=radio]', true],
    ['input', false],
    ['a', false],
  ])('with the focus on %s: %s', (selector, isAccepted) => {
    const find = page()
    expect(acceptsShortcuts(find(selector), find('section'))).toBe(isAccepted)
  })

  it('leaves the keys to a dialog that is open in their region', () => {
    document.body.innerHTML = '<section><div role="dialog"><button></button></div></section>'
    const [section, button] = ['section', 'button'].map((name) => document.querySelector(name)!)
    expect(acceptsShortcuts(button!, section!)).toBe(false)
  })
})
