// @vitest-environment happy-dom
import { act, Profiler } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { DataTable, focusRow } from '../../office/ui/DataTable.tsx'
import { click, mount, one, press } from '../src/ui/mount.tsx'

type Row = { id: string; name: string }
const rows: Row[] = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `row ${id}` }))
const columns = [{ key: 'name', head: 'Name', cell: ({ name }: Row) => name }]
const table = (props: { openId?: string; onOpen?: (row: Row) => void; shown?: Row[] } = {}) => (
  <DataTable
    label="Rows"
    columns={columns}
    rows={props.shown ?? rows}
    rowId={({ id }) => id}
    empty="Nothing"
    openId={props.openId ?? null}
    {...(props.onOpen && { onOpen: props.onOpen })}
  />
)
const row = (at: number): HTMLElement => document.querySelectorAll<HTMLElement>('tbody tr')[at]!
const focused = (): string | null | undefined => document.activeElement?.textContent

describe('DataTable', () => {
  it('has one row in the tab order: the open one, else the first', async () => {
    const { render } = await mount(table())
    expect([...document.querySelectorAll('tbody tr')].map((node) => node.getAttribute('tabindex'))).toEqual([
      '0',
      '-1',
      '-1',
      '-1',
    ])
    await render(table({ openId: 'c' }))
    expect(row(2).getAttribute('tabindex')).toBe('0')
    expect(row(2).getAttribute('aria-selected')).toBe('true')
  })

  it('draws a row again only if something of it changed: a queue may have a thousand', async () => {
    const cell = vi.fn(({ name }: Row) => name)
    const counted = [{ key: 'name', head: 'Name', cell }]
    const of = (shown: Row[], openId: string | null) => (
      <DataTable label="Rows" columns={counted} rows={shown} rowId={({ id }) => id} openId={openId} />
    )
    const { render } = await mount(of(rows.slice(0, 2), null))
    const drawn = async (shown: Row[], openId: string | null) => {
      cell.mockClear()
      await render(of(shown, openId))
      return cell.mock.calls.map(([{ id }]) => id)
    }
    expect(await drawn([...rows], null)).toEqual(['c', 'd'])
    expect(await drawn([...rows], 'b')).toEqual(['a', 'b'])
  })

  it('shows the first rows of many before it draws the others, and begins anew after a shorter list', async () => {
    const many = Array.from({ length: 170 }, (_, at) => ({ id: String(at), name: `row ${at}` }))
    const drawn: number[] = []
    const note = () => drawn.push(document.querySelectorAll('tbody tr').length)
    const of = (shown: Row[]) => (
      <Profiler id="table" onRender={note}>
        {table({ shown })}
      </Profiler>
    )
    const { render } = await mount(of(many))
    expect(drawn).toEqual([50, 100, 150, 170])
    await render(of(rows))
    drawn.length = 0
    await render(of(many))
    expect(drawn).toEqual([50, 100, 150, 170])
  })

  it('opens nothing by a click on its head', async () => {
    const onOpen = vi.fn()
    await mount(table({ onOpen }))
    await click(document.querySelector('th')!)
    expect(onOpen).not.toHaveBeenCalled()
    await click(document.querySelector('td')!)
    expect(onOpen).toHaveBeenCalledWith(rows[0])
  })

  it('moves the focus with the arrows and stops at the ends', async () => {
    await mount(table())
    row(0).focus()
    await press(row(0), 'ArrowDown')
    expect(focused()).toBe('row b')
    await press(row(1), 'End')
    expect(focused()).toBe('row d')
    await press(row(3), 'ArrowDown')
    expect(focused()).toBe('row d')
    await press(row(3), 'Home')
    expect(focused()).toBe('row a')
  })

  it('opens on Enter and on a click, and never by moving', async () => {
    const onOpen = vi.fn()
    await mount(table({ onOpen }))
    row(0).focus()
    await press(row(0), 'ArrowDown')
    expect(onOpen).not.toHaveBeenCalled()
    await press(row(1), 'Enter')
    await click(row(3))
    expect(onOpen.mock.calls.map(([opened]) => (opened as Row).id)).toEqual(['b', 'd'])
  })

  it('is reached by a command from anywhere, from the open row on', async () => {
    await mount(table({ openId: 'b' }))
    await act(async () => focusRow(1))
    expect(focused()).toBe('row c')
    await act(async () => focusRow(-1))
    expect(focused()).toBe('row b')
  })

  it('says why it is empty', async () => {
    await mount(table({ shown: [] }))
    expect(document.querySelector('table')).toBeNull()
    expect(one('div').textContent).toContain('Nothing')
  })
})
