// Completion for bash. The script of the completion library needs the package bash-completion, which many machines
// lack, and makes bash expand its candidates.
// Invariant: neither typed words nor offered names are evaluated; file names may contain anything.

/** For `source <(starbind completion bash)`. Works with bash 3.2, too. */
export const bashCompletion = `# bash completion for starbind
_starbind() {
  local typed=\${COMP_WORDS[COMP_CWORD]//\\\\/} word offer
  local -a words=()
  # bash takes --server=x for three words, and they are completed like --server x. Words have the backslashes that were typed.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == = ]] || words+=("\${word//\\\\/}")
  done
  if [[ $typed == = ]]; then
    typed=
    words+=('')
  fi
  COMPREPLY=()
  while IFS=$'\\t' read -r offer _; do
    # The last line is a number for other shells.
    if [[ -n $offer && $offer != :* && $offer == "$typed"* ]]; then
      COMPREPLY+=("$(printf %q "$offer")")
    fi
  done < <(starbind complete -- "\${words[@]}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == */ ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _starbind starbind
`
