/**
 * Whether a key press belongs to an input method, as the Enter that picks a candidate. Safari ends the composition
 * before it reports that key; its old key code, 229, still names it.
 */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === 229
