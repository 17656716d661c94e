"""A small prompt: inputs, what is incomplete, completion and documentation."""

import puppet_repl as puppet

options = puppet.Options(strict="warning", bind_once=False)
with puppet.Session(options, facts={"role": "web"}) as session:
    for text in ("function f() {", "$x = )", "$x = 20"):
        checked = session.check(text)
        if isinstance(checked, puppet.Incomplete):
            print("more:", checked.reason)
        elif isinstance(checked, puppet.Invalid):
            print("wrong:", checked.error)
        else:
            print(session.execute(text))
    completions = session.complete("upca", 4)
    print([each.text for each in completions.items])
    documentation = session.inspect("upcase", 3)
    print(documentation and documentation.category)
    print(session.execute("$x + 1").to_python(), session)
    print(session.lookup("nothing", default=1).unwrap())
