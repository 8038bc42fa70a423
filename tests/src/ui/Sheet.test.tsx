// @vitest-environment happy-dom
import { act, useState } from 'react'
import { describe, expect, it } from 'vitest'
import { Button, ConfirmDialog, Sheet } from '../../../src/ui/index.ts'
import { click, mount, one, pollScreen, press } from './mount.tsx'

function Page({ locked = false }: { locked?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button id="opener" onClick={() => setOpen(true)}>
        Open
      </Button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title="Confirm order"
        closeLabel="Close"
        locked={locked}
      >
        <Button id="inside">Buy up</Button>
      </Sheet>
    </>
  )
}

async function openFrom(opener: HTMLElement) {
  await act(async () => opener.focus())
  await click(opener)
  // The dialog moves the focus after an animation frame.
  await pollScreen(() => one('[role="dialog"]').contains(document.activeElement)).toBe(true)
}

describe('Sheet', () => {
  it('is a dialog named by its title that takes the focus and restores it', async () => {
    await mount(<Page />)
    const opener = one('#opener')
    await openFrom(opener)
    const dialog = one('[role="dialog"]')
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'Confirm order',
    )
    await click(one('[aria-label="Close"]'))
    await pollScreen(() => document.activeElement).toBe(opener)
    expect(document.querySelector('[role="dialog"]')).toBeNull()
  })

  it('closes on Escape', async () => {
    await mount(<Page />)
    await openFrom(one('#opener'))
    await press(document.activeElement ?? document.body, 'Escape')
    await pollScreen(() => document.querySelector('[role="dialog"]')).toBeNull()
  })

  it('stays open while locked', async () => {
    await mount(<Page locked />)
    await openFrom(one('#opener'))
    await click(one('[aria-label="Close"]'))
    await press(document.activeElement ?? document.body, 'Escape')
    expect(one('[role="dialog"]').hasAttribute('data-open')).toBe(true)
  })
})

describe('ConfirmDialog', () => {
  it('focuses the safe answer', async () => {
    await mount(
      <ConfirmDialog
        open
        title="Log out"
        confirmLabel="Log out"
        cancelLabel="Stay"
        closeLabel="Close"
        onConfirm={() => undefined}
        onCancel={() => undefined}
      >
        Are you sure?
      </ConfirmDialog>,
    )
    await pollScreen(() => document.activeElement?.textContent).toBe('Stay')
  })
})
