import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { ItemOf } from '../../data/useOfficeCall.ts'

type Message = ItemOf<typeof officeRoutes.service.show>

/** The reader counts as being at the end if at most this is below, in pixels. */
const endPx = 24

/**
 * Keeps a conversation at its newest message: it opens there and follows what comes, unless the reader has scrolled up;
 * then it counts what the member has written since.
 * @param messages newest first
 */
export function useNewest(messages: readonly Message[]) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const height = useRef(0)
  const [seenId, setSeenId] = useState<string>()
  const [newestId, oldestId] = [messages[0]?.id, messages.at(-1)?.id]
  const toEnd = (): void => {
    if (box.current === null) return
    box.current.scrollTop = box.current.scrollHeight
    isAtEnd.current = true
    setSeenId(newestId)
  }
  useLayoutEffect(() => {
    const { current } = box
    // Earlier messages come above: what is read stays where it is.
    if (current !== null && !isAtEnd.current) current.scrollTop += current.scrollHeight - height.current
  }, [oldestId])
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd()
    // oxlint-disable-next-line react/exhaustive-deps -- only for a newer message
  }, [newestId])
  useEffect(() => {
    height.current = box.current?.scrollHeight ?? 0
  })
  const seenAt = messages.findIndex(({ id }) => id === seenId)
  return {
    box,
    toEnd,
    /** Messages of the member below what was read. */
    unseen: messages.slice(0, Math.max(0, seenAt)).filter(({ from }) => from === 'member').length,
    onScroll: () => {
      const { current } = box
      if (current === null) return
      isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight <= endPx
      if (isAtEnd.current) setSeenId(newestId)
    },
  }
}
