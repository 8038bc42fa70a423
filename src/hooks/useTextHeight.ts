import { useLayoutEffect, useRef, type RefObject } from 'react'

const growsItself = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content')

/** Makes a text area as high as its text after each render, up to its `max-height`, in browsers where `field-sizing` does not. */
export function useTextHeight(): RefObject<HTMLTextAreaElement | null> {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const node = area.current
    if (node === null || growsItself) return
    node.style.height = 'auto'
    const borders = node.offsetHeight - node.clientHeight
    node.style.height = `${node.scrollHeight + borders}px`
  })
  return area
}
