import { h } from './dom.js';

/**
 * Asks before something is done. `confirmWord`, if any, has to be typed. `act` gets the reason; its failure is shown and the
 * dialog stays. `dismiss` closes it without a deed.
 */
export function ask({ title, text, warning, confirmWord, reason = true, label, dismiss = 'Cancel', danger, act }) {
  return new Promise((resolve) => {
    const why = reason ? h('input', { name: 'reason', required: true, maxLength: 500, placeholder: 'exchange is down', autocomplete: 'off' }) : null;
    const word = confirmWord ? h('input', { name: 'word', required: true, autocomplete: 'off', spellcheck: false }) : null;
    const error = h('div', { className: 'error', role: 'alert', hidden: true });
    const yes = h('button', { className: danger ? 'danger' : 'primary', type: 'submit', disabled: Boolean(confirmWord) }, label);
    word?.addEventListener('input', () => { yes.disabled = word.value.trim() !== confirmWord; });
    const dialog = h('dialog', { 'aria-labelledby': 'dialog-title', onclose: () => { dialog.remove(); resolve(dialog.returnValue === 'done'); } },
      h('form', { onsubmit: submit },
        h('h2', { id: 'dialog-title' }, title),
        text ? h('p', {}, text) : null,
        warning ? h('div', { className: 'warnbox' }, warning) : null,
        why ? h('label', { className: 'field' }, 'Reason, for the audit', why) : null,
        word ? h('label', { className: 'field' }, h('span', {}, 'Type ', h('code', {}, confirmWord), ' to confirm'), word) : null,
        error,
        h('div', { className: 'end' }, h('button', { type: 'button', onclick: () => dialog.close() }, dismiss), yes)));
    async function submit(event) {
      event.preventDefault();
      yes.disabled = true;
      error.hidden = true;
      try {
        await act(why?.value.trim());
        dialog.close('done');
      } catch (failure) {
        error.textContent = failure.message;
        error.hidden = false;
        yes.disabled = false;
      }
    }
    document.body.append(dialog);
    dialog.showModal();
    (why ?? word ?? yes).focus();
  });
}
