;;; edgewise-mode.el --- schemes of Edgewise (.ew)  -*- lexical-binding: t -*-
;; Colours, comments, indentation by braces; with eglot (Emacs 29) the language server `dslc lsp'.
;; In the init file:  (add-to-list 'load-path "FOLDER/emacs") (require 'edgewise-mode)
;;                    (add-hook 'edgewise-mode-hook #'eglot-ensure)

(require 'edgewise-words)

(defvar edgewise-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?- ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?' "." table)
    table))

(defvar edgewise-font-lock-keywords
  `((,(regexp-opt edgewise-keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt edgewise-types 'symbols) . font-lock-type-face)
    (,(regexp-opt edgewise-places 'symbols) . font-lock-type-face)
    (,(regexp-opt edgewise-functions 'symbols) . font-lock-builtin-face)
    (,(regexp-opt edgewise-geometry 'symbols) . font-lock-variable-name-face)
    (,(regexp-opt edgewise-constants 'symbols) . font-lock-constant-face)))

(defun edgewise-indent-line ()
  "Two blanks for every brace that is open."
  (interactive)
  (let* ((depth (save-excursion
                  (back-to-indentation)
                  (- (car (syntax-ppss)) (if (looking-at "[])}]") 1 0))))
         (column (* 2 (max 0 depth))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode edgewise-mode prog-mode "Edgewise"
  "Schemes of Edgewise."
  (setq-local comment-start "-- ")
  (setq-local comment-start-skip "--+ *")
  (setq-local font-lock-defaults '(edgewise-font-lock-keywords))
  (setq-local indent-line-function #'edgewise-indent-line))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ew\\'" . edgewise-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(edgewise-mode . ("dslc" "lsp"))))

(provide 'edgewise-mode)
;;; edgewise-mode.el ends here
