// The module `enum`.

import { builtin } from '../calls/signature.js'
import { classIn } from '../classes/classes.js'
import { descriptorBuiltins, StaticMethod } from '../classes/descriptors.js'
import { guestError } from '../values/errors.js'
import { asName, joined, said } from '../values/said.js'
import { Flag, IntFlag } from './enum/flags.js'
import { Auto, Enum, membersOf, nameOf, numeric, textual } from './enum/members.js'
import { type Module, module } from './module.js'

export const enumModule: Module = module('enum', {
  Enum: Enum.$value,
  IntEnum: numeric.$value,
  StrEnum: textual.$value,
  Flag: Flag.$value,
  IntFlag: IntFlag.$value,
  auto: builtin('auto', '', () => new Auto()),
  property: descriptorBuiltins.property!,
  verify: builtin('verify', '*checks', () => builtin('decorator', 'enumeration', (x) => x!)),
  member: builtin('member', 'value', (x) => x!),
  nonmember: builtin('nonmember', 'value', (x) => new StaticMethod(x!)),
  unique: builtin('unique', 'enumeration', (x) => {
    const cls = classIn(x!)!
    // Combined members of flags are not listed.
    const aliases = [...membersOf(cls).byName]
      .filter(([name, m]) => nameOf(m) !== name)
      .map(([name, m]) => said`${asName(name)} -> ${asName(nameOf(m))}`)
    if (aliases.length > 0) {
      throw guestError(
        'ValueError',
        said`duplicate values found in <enum '${asName(cls.$name)}'>: ${joined(aliases, ', ')}`,
      )
    }
    return x!
  }),
})
