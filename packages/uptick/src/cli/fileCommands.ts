/** The commands that need no other part: together, because each file of the package more repeats what it imports. */
export { check } from './check.ts'
export { convert } from './convert.ts'
export { info } from './info.ts'
export { verify } from './verify.ts'
export { witness } from './witness.ts'
