Content-Length: 83

{"id": 1, "method": "initialize", "params": {"capabilities": {}}, "jsonrpc": "2.0"}Content-Length: 57

{"method": "initialized", "params": {}, "jsonrpc": "2.0"}Content-Length: 710

{"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///nowhere/warm.ew", "languageId": "edgewise", "version": 1, "text": "-- heat.ew with values that change in time.\nscheme warm on mesh(D) {\n  parameter kappa = 1 [m^2/s]\n  parameter cfl   = 0.9\n  state T     @ cells [K]\n  given power @ cells [K/s] over time\n\n  flux q @ faces = kappa*(T[L] - T[R])/distance\n\n  boundary insulated   { flux q = 0 }\n  boundary held(Tw [K] over time)  { ghost T = 2*Tw - T[L] }\n  boundary heated(qn [K*m/s]) { flux q = -qn }\n\n  dt = cfl * min(c in cells) volume/(sum(f of c) area*kappa/distance)\n\n  step { update T = T + dt*power - dt/volume * sum(f of c) area*q }\n}\n"}}, "jsonrpc": "2.0"}Content-Length: 165

{"id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///nowhere/warm.ew"}, "position": {"line": 7, "character": 14}}, "jsonrpc": "2.0"}Content-Length: 170

{"id": 3, "method": "textDocument/definition", "params": {"textDocument": {"uri": "file:///nowhere/warm.ew"}, "position": {"line": 7, "character": 14}}, "jsonrpc": "2.0"}Content-Length: 170

{"id": 4, "method": "textDocument/completion", "params": {"textDocument": {"uri": "file:///nowhere/warm.ew"}, "position": {"line": 7, "character": 14}}, "jsonrpc": "2.0"}Content-Length: 211

{"id": 5, "method": "textDocument/references", "params": {"textDocument": {"uri": "file:///nowhere/warm.ew"}, "position": {"line": 7, "character": 14}, "context": {"includeDeclaration": true}}, "jsonrpc": "2.0"}Content-Length: 177

{"id": 6, "method": "textDocument/formatting", "params": {"textDocument": {"uri": "file:///nowhere/warm.ew"}, "options": {"tabSize": 2, "insertSpaces": true}}, "jsonrpc": "2.0"}Content-Length: 187

{"id": 7, "method": "textDocument/rename", "params": {"textDocument": {"uri": "file:///nowhere/warm.ew"}, "position": {"line": 2, "character": 13}, "newName": "lambda"}, "jsonrpc": "2.0"}Content-Length: 712

{"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///nowhere/warm.ew", "version": 2}, "contentChanges": [{"text": "-- heat.ew with values that change in time.\nscheme warm on mesh(D) {\n  parameter kappa = 1 [m^2/s]\n  parameter cfl   = 0.9\n  state T     @ cells [K]\n  given power @ cells [K/s] over time\n\n  flux q @ faces = kappa*(T[L] - T[R])/distance\n\n  boundary insulated   { flux q = 0 }\n  boundary held(Tw [K] over time)  { ghost T = 2*Tw - T[L] }\n  boundary heated(qn [K*m/s]) { flux q = -qn }\n\n  dt = missing * min(c in cells) volume/(sum(f of c) area*kappa/distance)\n\n  step { update T = T + dt*power - dt/volume * sum(f of c) area*q }\n}\n"}]}, "jsonrpc": "2.0"}Content-Length: 49

{"id": 8, "method": "shutdown", "jsonrpc": "2.0"}Content-Length: 36

{"method": "exit", "jsonrpc": "2.0"}